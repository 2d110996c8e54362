package io.drayage.spark.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.drayage.coordination.CoordinationException;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.snapshot.SnapshotException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.spark.SparkRuntimeException;
import org.apache.spark.SparkThrowable;
import org.apache.spark.SparkThrowableHelper;
import org.apache.spark.SparkUnsupportedOperationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DrayageExceptionTest {
  private static RuntimeException told(IOException cause) {
    return DrayageException.of(
        "table t", new IOException("it failed: " + cause.getMessage(), cause));
  }

  @ParameterizedTest
  @CsvSource({
    "CONFLICT, DRAYAGE_CONFLICT, 40001",
    "FULL, DRAYAGE_FULL, 53100",
    "BUSY, DRAYAGE_UNAVAILABLE, 08001",
    "PEER_GONE, DRAYAGE_UNAVAILABLE, 08001",
    "REJECTED, DRAYAGE_REFUSED, 40000",
    "REFUSED, DRAYAGE_REFUSED, 40000"
  })
  void hasAConditionAndAnSqlState(Fault fault, String condition, String state) {
    RuntimeException told = told(new ShipmentException(fault, "why"));

    assertThat(told)
        .isInstanceOf(SparkRuntimeException.class)
        .hasMessage("[%s] table t: it failed: why SQLSTATE: %s", condition, state);
    assertThat(((SparkThrowable) told).getCondition()).isEqualTo(condition);
    assertThat(((SparkThrowable) told).getSqlState()).isEqualTo(state);
    assertThat(((SparkThrowable) told).getMessageParameters())
        .isEqualTo(Map.of("message", "table t: it failed: why"));
    assertThat(((SparkThrowable) told).isInternalError()).isFalse();
  }

  @Test
  void tellsWhatIsNotThere() {
    assertThat(told(new CoordinationException("gone")))
        .hasMessage("[DRAYAGE_UNAVAILABLE] table t: it failed: gone SQLSTATE: 08001");
    assertThat(told(new SnapshotException("no 7")))
        .hasMessage("[DRAYAGE_SNAPSHOT_NOT_FOUND] table t: it failed: no 7 SQLSTATE: 42704");
    assertThat(told(new IOException("odd")))
        .hasMessage("[DRAYAGE_FAILED] table t: it failed: odd SQLSTATE: 58000");
  }

  @Test
  void tellsThatAnInterruptedCommitMayTakeEffect() {
    ShipmentException unknown =
        new ShipmentException(Fault.CANCELLED, "interrupted")
            .withOutcome(ShipmentException.Outcome.UNKNOWN);
    InterruptedIOException interrupted = new InterruptedIOException("stopped");
    assertThat(DrayageException.of("table t", interrupted))
        .isInstanceOf(UncheckedIOException.class);

    interrupted.initCause(unknown);

    assertThat(DrayageException.of("table t", interrupted))
        .hasMessage("[DRAYAGE_UNKNOWN_OUTCOME] table t: stopped SQLSTATE: 40003");
  }

  @Test
  void travelsFromATaskToTheDriver() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(told(new ShipmentException(Fault.FULL, "no room")));
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      assertThat((Throwable) in.readObject())
          .hasMessage("[DRAYAGE_FULL] table t: it failed: no room SQLSTATE: 53100");
    }
  }

  @Test
  void thePageHasEachConditionAndOption() throws Exception {
    String page = Files.readString(Path.of("../../docs/spark.md"));
    for (DrayageException.Condition each : DrayageException.Condition.values()) {
      assertThat(page).contains("| `DRAYAGE_%s` | %s | ".formatted(each, each.sqlState()));
    }
    for (DrayageOption each : DrayageOption.values()) {
      assertThat(page).contains("`%s`".formatted(each.key()));
    }
  }

  @Test
  void refusesWhatIsNotSupportedAsSparkDoes() {
    assertThat(new DrayageUnsupportedException("no"))
        .isInstanceOf(SparkUnsupportedOperationException.class)
        .hasMessage("[DRAYAGE_UNSUPPORTED] no SQLSTATE: 0A000");
  }

  /** Has the name of the method in which Spark Connect converts errors for its client. */
  private static String throwableToProtoErrors(SparkThrowable error) {
    return SparkThrowableHelper.getMessage(error.getCondition(), error.getMessageParameters());
  }

  @Test
  void keepsItsTextOverSparkConnect() {
    assertThat(throwableToProtoErrors((SparkThrowable) told(new IOException("odd"))))
        .contains("[DRAYAGE_FAILED] table t: it failed: odd SQLSTATE: 58000");
    assertThat(throwableToProtoErrors(new DrayageUnsupportedException("no")))
        .contains("[DRAYAGE_UNSUPPORTED] no SQLSTATE: 0A000");
  }

  /** The text of the error must not contain them either. */
  @ParameterizedTest
  @CsvSource({
    "127.0.0.1:2181, s3:b?endpoint=http://u:hunter2@h, store",
    "u:hunter2@127.0.0.1:2181, fs:x, zookeeper",
    "'127.0.0.1:2181,u:hunter2@h:1', fs:x, zookeeper"
  })
  void refusesPasswordsInAddresses(String zookeeper, String store, String named) {
    assertThatExceptionOfType(DrayageException.class)
        .isThrownBy(() -> DrayageOptions.parse("d", Map.of("zookeeper", zookeeper, "store", store)))
        .withMessageContaining("catalog d: %s has a user or a password in its address", named)
        .withMessageNotContaining("hunter2");
  }

  @Test
  void takesAddressesWithoutPasswords() {
    for (String store : List.of("s3:b/p@q?endpoint=http://h:9/&region=x", "fs:data@home/x")) {
      assertThat(
              DrayageOptions.parse("d", Map.of("zookeeper", "a:1,b:2/root", "store", store))
                  .get(DrayageOption.STORE))
          .isEqualTo(store);
    }
  }
}
