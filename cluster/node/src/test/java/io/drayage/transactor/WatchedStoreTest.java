package io.drayage.transactor;

import static io.drayage.testing.Refusals.assertFault;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.frame.Fault;
import io.drayage.objectstore.FaultyStore;
import io.drayage.objectstore.ObjectExistsException;
import io.drayage.objectstore.ObjectStores;
import io.drayage.objectstore.ObjectUpload;
import io.drayage.objectstore.StoreFailure;
import io.drayage.objectstore.WriteFailure;
import io.drayage.snapshot.SnapshotKeys;
import io.drayage.testing.LoggedRecords;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WatchedStoreTest {
  private static final String TERM = "1";
  private static final String FULL = "No space left on device";

  @TempDir private Path folder;

  @AutoClose private final LoggedRecords logged = new LoggedRecords(WatchedStore.class.getName());
  private FaultyStore failing;
  private long nowNs;
  @AutoClose private WatchedStore store;

  @BeforeEach
  void open() throws IOException {
    failing = new FaultyStore(ObjectStores.open("fs:" + folder));
    store = new WatchedStore(failing, () -> nowNs, new NodeEvents());
    store.watch(TERM);
  }

  private void pass(long seconds) {
    nowNs += TimeUnit.SECONDS.toNanos(seconds);
  }

  private void write(String key) throws IOException {
    store.put(key, ByteBuffer.allocate(1));
  }

  private String failure() {
    return Objects.requireNonNull(store.failure()).message();
  }

  private long failures() {
    long sum = 0;
    for (WriteFailure each : WriteFailure.values()) {
      sum += store.failures(each);
    }
    return sum;
  }

  @Test
  void aProbeTellsThatNothingCanBeWrittenAndLeavesNothing() throws Exception {
    store.probe();
    store.requireNoWait();
    assertThat(store.failure()).isNull();
    assertThat(store.list("")).isEmpty();

    failing.refuseWrites("", FULL);
    store.probe();
    assertThat(store.failure())
        .isEqualTo(new StoreFailure(WriteFailure.FULL, store.name() + ": probe/write: " + FULL));
    assertThat(store.failures(WriteFailure.FULL)).isOne();
    assertFault(Fault.BUSY, store::requireNoWait)
        .hasMessage("the store cannot be written: " + store.name() + ": probe/write: " + FULL);

    failing.mend();
    pass(1);
    store.probe();
    store.requireNoWait();
    assertThat(store.failure()).as("not sure yet").isNotNull();
    pass(20);
    store.probe();
    assertThat(store.failure()).isNull();
    assertThat(store.list("")).isEmpty();
  }

  /** A node died between the creation and the deletion. */
  @Test
  void aProbeReplacesWhatAnotherHasLeft() throws Exception {
    write(SnapshotKeys.PROBE);

    store.probe();

    assertThat(store.failure()).isNull();
    assertThat(store.list("")).isEmpty();
  }

  @Test
  void aFailedWriteCountsUntilAProbeSucceeds() throws Exception {
    failing.refuseWrites("", FULL);
    assertThatThrownBy(() -> write("data/1")).hasMessageContaining(FULL);
    assertThatThrownBy(() -> store.begin("data/2")).hasMessageContaining(FULL);
    assertThat(store.failures(WriteFailure.FULL)).isEqualTo(2);
    failing.mend();
    write("data/1");
    assertThat(failure()).contains("data/2");
    assertThatThrownBy(store::requireNoWait).hasMessageContaining("data/2");

    pass(1);
    store.probe();

    store.requireNoWait();
  }

  @Test
  void oneWarningAMinuteAndOneLineAtTheEnd() throws Exception {
    failing.refuseWrites("", FULL);
    for (int i = 0; i < 150; i++) {
      store.probe();
      pass(1);
    }
    failing.mend();
    store.probe();
    pass(18);
    store.probe();
    assertThat(logged.lines())
        .as("not sure yet")
        .hasSize(3)
        .containsOnly(
            "WARNING the store cannot be written: %s: probe/write: No space left on device; cargoes wait until it can"
                .formatted(store.name()));
    pass(1);
    store.probe();
    store.probe();

    assertThat(logged.lines())
        .hasSize(4)
        .last()
        .isEqualTo("INFO the store can be written again, after 149 s");
  }

  /** A cargo may not fit where a probe fits. */
  @Test
  void probesThatSucceedInBetweenDoNotAddLines() throws Exception {
    for (int i = 0; i < 50; i++) {
      failing.refuseWrites("", FULL);
      assertThatThrownBy(() -> write("data/1")).hasMessageContaining(FULL);
      failing.mend();
      pass(1);
      store.probe();
      store.requireNoWait();
      assertThat(failure()).contains("data/1");
    }

    assertThat(logged.lines()).hasSize(1);
  }

  @Test
  void anObjectThatIsStoredAfterAProbeEndsTheTroubleSooner() throws Exception {
    failing.refuseWrites("", FULL);
    store.probe();
    failing.mend();
    pass(1);
    store.probe();
    write("data/1");
    assertThat(store.failure()).as("not sure yet").isNotNull();
    pass(2);
    write("data/2");

    assertThat(store.failure()).isNull();
    assertThat(logged.lines()).last().isEqualTo("INFO the store can be written again, after 0 s");
  }

  @Test
  void whatDoesNotPassIsToldAndKeepsNobodyWaiting() throws Exception {
    String trouble = "Input/output error";
    failing.refuseWrites("", trouble);

    store.probe();

    assertThat(failure()).endsWith(trouble);
    assertThat(store.failures(WriteFailure.OTHER)).isOne();
    store.requireNoWait();
    assertThat(logged.lines())
        .containsExactly(
            "WARNING the store cannot be written: " + store.name() + ": probe/write: " + trouble);
  }

  @Test
  void whatExistsOrWasAbortedIsNoFailure() throws Exception {
    write("data/1");
    assertThatThrownBy(() -> write("data/1")).isInstanceOf(ObjectExistsException.class);
    ObjectUpload upload = store.begin("data/2");
    upload.close();
    assertThatThrownBy(() -> upload.write(ByteBuffer.allocate(1 << 20)))
        .hasMessageContaining("aborted");

    assertThat(failures()).isZero();
    assertThat(store.failure()).isNull();
  }

  /** A standby does not know when the trouble ends. */
  @Test
  void aStandbyOnlyCounts() throws Exception {
    failing.refuseWrites("", FULL);
    store.probe();
    store.watch(null);
    assertThat(store.awaitProbe(TERM)).isFalse();
    assertThat(store.failure()).isNull();
    int before = logged.lines().size();

    assertThatThrownBy(() -> write("data/1")).hasMessageContaining(FULL);

    assertThat(store.failures(WriteFailure.FULL)).isEqualTo(2);
    assertThat(store.failure()).isNull();
    assertThat(logged.lines()).hasSize(before);
  }

  @Test
  void aProbeIsDueEveryTenSecondsAndSoonerAfterAFailure() throws Exception {
    pass(10);
    assertThat(store.awaitProbe(TERM)).isTrue();
    store.probe();
    failing.refuseWrites("", FULL);
    assertThatThrownBy(() -> write("data/1")).hasMessageContaining(FULL);
    pass(1);
    assertThat(store.awaitProbe(TERM)).isTrue();
    store.watch("2");
    assertThat(store.awaitProbe(TERM)).as("of the term before").isFalse();
  }
}
