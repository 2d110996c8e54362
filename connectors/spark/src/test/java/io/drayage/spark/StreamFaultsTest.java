package io.drayage.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.frame.AppVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Each row of a stream once, each epoch one commit, whatever dies in its second epoch. */
@Tag("nightly")
@Timeout(value = 400, unit = TimeUnit.SECONDS)
class StreamFaultsTest {
  private static final int EPOCHS = 3;
  private static final int EPOCH_ROWS = 10;

  @TempDir Path folder;

  private final List<Process> drivers = new ArrayList<>();
  private Path beacons = Path.of("");
  private long before;

  @BeforeEach
  void addNumbers() throws IOException {
    beacons = Files.createDirectory(folder.resolve("beacons"));
    Numbers numbers = new Numbers(StreamDriver.numbers(beacons));
    for (int i = 0; i < EPOCHS; i++) {
      numbers.add(EPOCH_ROWS);
    }
  }

  @AfterEach
  void endDrivers() {
    drivers.forEach(Process::destroyForcibly);
  }

  private void makeTable(TestDatabase database) throws IOException {
    SparkSession spark = LocalSpark.session().newSession();
    database.addTo(spark, "d");
    spark.sql("CREATE TABLE d.stream (id BIGINT)");
    before = database.newest();
  }

  private Process driver(TestDatabase database) throws IOException {
    return driver(database, folder.resolve("checkpoint"));
  }

  private Process driver(TestDatabase database, Path checkpoint) throws IOException {
    Process driver =
        ChildJvm.start(
            StreamDriver.class,
            folder,
            List.of(
                database.servers(), database.store(), beacons.toString(), checkpoint.toString()));
    drivers.add(driver);
    return driver;
  }

  private void go() {
    Beacon.light(beacons.toString(), "go");
  }

  private long awaitWaiting() {
    return Beacon.await(beacons.toString(), "at");
  }

  private void requireExact(TestDatabase database) throws IOException {
    assertThat(database.rows("stream"))
        .isEqualTo(
            TestDatabase.sorted(
                LongStream.range(0, EPOCHS * EPOCH_ROWS)
                    .mapToObj(id -> List.<Object>of(id))
                    .toList()));
    assertThat(
            database.committedSince(before).stream()
                .map(entry -> Objects.requireNonNull(entry.transaction()).app())
                .map(AppVersion::version))
        .containsExactly(0L, 1L, 2L);
    Beacon.await("the fragments are gone", () -> database.files("fragments").isEmpty());
  }

  @Test
  void writesAgainTheEpochThatWasLostWithItsDriver() throws Exception {
    try (TestDatabase database = new TestDatabase(folder)) {
      makeTable(database);
      Process first = driver(database);
      Beacon.kill(awaitWaiting());
      int unused = first.waitFor();
      go();

      assertThat(driver(database).waitFor()).isZero();

      requireExact(database);
    }
  }

  @Test
  void doesNotWriteAgainTheEpochThatItsDriverWasNotToldOf() throws Exception {
    try (TestDatabase database = new TestDatabase(folder)) {
      makeTable(database);
      Process first = driver(database);
      long pid = awaitWaiting();
      Hold.LOGGED.arm(database.holds());
      go();
      long unusedToo = Hold.awaitHeld(database.holds());
      Beacon.kill(pid);
      int unused = first.waitFor();
      Hold.release(database.holds());

      assertThat(driver(database).waitFor()).isZero();

      requireExact(database);
    }
  }

  @Test
  void writesEachEpochOfTwoDriversAtATimeOnce() throws Exception {
    try (TestDatabase database = new TestDatabase(folder)) {
      makeTable(database);
      Process one = driver(database);
      long unused = awaitWaiting();
      Path copy = folder.resolve("copy");
      Checkpoint.copy(folder.resolve("checkpoint"), copy);
      Process other = driver(database, copy);
      go();

      assertThat(one.waitFor()).isZero();
      assertThat(other.waitFor()).isZero();

      requireExact(database);
    }
  }

  @Test
  void goesOnWithAnotherPrimary() throws Exception {
    try (TestDatabase database = new TestDatabase(folder, true)) {
      makeTable(database);
      Process stream = driver(database);
      long unused = awaitWaiting();
      Beacon.kill(database.process(database.primary()).pid());
      go();

      assertThat(stream.waitFor()).isZero();

      requireExact(database);
    }
  }

  @Test
  void failsTheEpochWhoseLeaseIsLostAndGoesOnWhenStartedAgain() throws Exception {
    try (TestDatabase database = new TestDatabase(folder)) {
      makeTable(database);
      Process first = driver(database);
      long pid = awaitWaiting();
      signal(pid, "STOP");
      Beacon.await("its lease is over", () -> database.files("open").isEmpty());
      go();
      signal(pid, "CONT");

      assertThat(first.waitFor()).isPositive();
      assertThat(Files.readString(folder.resolve("StreamDriver.log")))
          .containsPattern("transaction \\S+ has ended without effect");

      assertThat(driver(database).waitFor()).isZero();

      requireExact(database);
    }
  }

  private static void signal(long pid, String signal) throws IOException, InterruptedException {
    int exit = new ProcessBuilder("kill", "-" + signal, Long.toString(pid)).start().waitFor();
    assertThat(exit).isZero();
  }
}
