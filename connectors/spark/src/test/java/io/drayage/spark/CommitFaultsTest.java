package io.drayage.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.database.TransactionLimits;
import io.drayage.spark.FaultJob.Fault;
import io.drayage.store.MemoryLimit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Exactly the rows of a job, or nothing, whatever happens to its primary, lease or room. */
@Tag("nightly")
@Timeout(value = 400, unit = TimeUnit.SECONDS)
class CommitFaultsTest {
  @TempDir Path folder;

  private String beacons = "";

  @BeforeEach
  void makeFolder() throws IOException {
    beacons = Files.createDirectory(folder.resolve("beacons")).toString();
  }

  /** It keeps the catalog, which is of another database then. */
  @AfterEach
  void stopSession() {
    LocalSpark.session().stop();
  }

  private RunningJob begin(TestDatabase database, Fault fault) throws IOException {
    SparkSession spark = LocalSpark.session();
    RunningJob.makeTable(database, spark);
    return RunningJob.begin(database, FaultJob.rows(spark, fault, beacons));
  }

  @ParameterizedTest
  @EnumSource
  void survivesPrimaryThatIsKilledDuringItsCommit(Hold where) throws Exception {
    try (TestDatabase database = new TestDatabase(folder, true)) {
      RunningJob job = begin(database, Fault.WAIT);
      long unused = Beacon.await(beacons, "at-0");
      where.arm(database.holds());
      Beacon.light(beacons, "go");
      long primary = Hold.awaitHeld(database.holds());
      assertThat(primary).isEqualTo(database.process(database.primary()).pid());
      Beacon.kill(primary);

      job.requireExact();
    }
  }

  @ParameterizedTest
  @EnumSource
  void survivesPrimaryThatIsStoppedDuringItsCommitAndGoesOn(Hold where) throws Exception {
    try (TestDatabase database = new TestDatabase(folder, true)) {
      RunningJob job = begin(database, Fault.WAIT);
      long unused = Beacon.await(beacons, "at-0");
      where.arm(database.holds());
      Beacon.light(beacons, "go");
      long primary = Hold.awaitHeld(database.holds());
      String name = database.primary();
      Beacon.signal(primary, "STOP");
      Beacon.await("another primary", () -> !database.primary().equals(name));
      Hold.release(database.holds());
      Beacon.signal(primary, "CONT");
      Beacon.await("it is a standby", () -> database.isAlive(name));

      job.requireExact();
    }
  }

  @Test
  void failsByNameIfItsLeaseIsLost() throws Exception {
    try (TestDatabase database = new TestDatabase(folder)) {
      RunningJob.makeTable(database, LocalSpark.session());
      long before = database.newest();
      Process driver =
          ChildJvm.start(
              DriverMain.class,
              folder,
              List.of(database.servers(), database.store(), beacons, Fault.WAIT.name(), "1"));
      long pid = Beacon.await(beacons, "at-0");
      Beacon.await("a fragment is prepared", () -> !database.files("fragments").isEmpty());
      Beacon.signal(pid, "STOP");
      Beacon.await("the lease is over", () -> database.files("open").isEmpty());
      Beacon.light(beacons, "go");
      Beacon.signal(pid, "CONT");

      assertThat(driver.waitFor()).isNotZero();
      RunningJob.requireNothing(database, before);
      assertThat(Files.readString(folder.resolve("DriverMain.log")))
          .contains("has ended without effect");
    }
  }

  @Test
  void keepsWhatIsOlderThanWhatACleanerDeletes() throws Exception {
    try (TestDatabase database = new TestDatabase(folder)) {
      RunningJob job = begin(database, Fault.WAIT);
      long unused = Beacon.await(beacons, "at-0");
      Beacon.await("a fragment is prepared", () -> !database.files("fragments").isEmpty());
      assertThat(database.deleteAnHourLater()).isZero();
      Beacon.light(beacons, "go");

      job.requireExact();
    }
  }

  @Test
  void twoJobsLargerThanTheCacheOfFragmentsCommit() throws Exception {
    TransactionLimits limits = TransactionLimits.ofHeap().withCacheBytes(1);
    try (TestDatabase database = new TestDatabase(folder, node -> node.transactions(limits))) {
      RunningJob job = begin(database, Fault.WAIT);
      long unused = Beacon.await(beacons, "at-0");
      Beacon.await("a fragment is prepared", () -> !database.files("fragments").isEmpty());
      LocalSpark.session().range(0, 100_000, 1, 4).writeTo("d.others").create();
      long before = database.newest();
      Beacon.light(beacons, "go");

      job.awaitSuccess();
      RunningJob.requireExact(database, before);
      assertThat(database.rows("others")).hasSize(100_000);
    }
  }

  /**
   * @param bytes less than the first fragment takes, or than all of them
   */
  @ParameterizedTest
  @ValueSource(longs = {1 << 20, 105_000_000})
  void failsByNameIfTheDatabaseHasNoRoom(long bytes) throws Exception {
    MemoryLimit limit = new MemoryLimit(bytes, 1L << 30);
    try (TestDatabase database = new TestDatabase(folder, node -> node.memory(limit))) {
      RunningJob job = begin(database, Fault.NONE);

      assertThat(job.requireNothing()).contains("FULL");
    }
  }
}
