package io.drayage.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.spark.FaultJob.Fault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Exactly the rows of the job, in one commit, whatever dies while it is written. */
@Tag("nightly")
@Timeout(value = 400, unit = TimeUnit.SECONDS)
class ClusterFaultsTest {
  private static final Map<String, String> RETRIES = Map.of("spark.task.maxFailures", "4");

  @TempDir Path folder;

  private String beacons = "";

  @BeforeEach
  void makeFolder() throws IOException {
    beacons = Files.createDirectory(folder.resolve("beacons")).toString();
  }

  /** Does something while a job waits. */
  private interface Disturbance {
    void run(TestDatabase database) throws Exception;
  }

  private void disturb(
      TestDatabase database, Map<String, String> settings, Fault fault, Disturbance disturbance)
      throws Exception {
    try (ClusterSpark cluster = new ClusterSpark(settings)) {
      RunningJob.makeTable(database, cluster.session());
      Dataset<Row> rows = FaultJob.rows(cluster.session(), fault, beacons);
      RunningJob job = RunningJob.begin(database, rows);

      disturbance.run(database);

      job.requireExact();
    }
  }

  private void awaitPrepared(TestDatabase database) {
    Beacon.await("a fragment is prepared", () -> !database.files("fragments").isEmpty());
  }

  @Test
  void survivesTaskThatThrowsMidway() throws Exception {
    try (TestDatabase database = new TestDatabase(folder)) {
      disturb(database, RETRIES, Fault.THROW, unused -> {});
    }
  }

  @Test
  void survivesExecutorThatIsKilledWhenItsFragmentIsPrepared() throws Exception {
    try (TestDatabase database = new TestDatabase(folder)) {
      disturb(
          database,
          RETRIES,
          Fault.WAIT,
          killed -> {
            long executor = Beacon.await(beacons, "at-0");
            awaitPrepared(killed);
            Beacon.kill(executor);
          });
    }
  }

  @Test
  void survivesExecutorThatIsKilledWhileItShips() throws Exception {
    try (TestDatabase database = new TestDatabase(folder)) {
      disturb(
          database,
          RETRIES,
          Fault.WAIT,
          killed -> {
            // The data of a fragment is being stored before it is prepared, or has just been.
            Beacon.await("data is stored", () -> killed.hasUnpreparedData());
            Beacon.kill(Beacon.await(beacons, "begun-0"));
            Beacon.light(beacons, "go");
          });
    }
  }

  @Test
  void takesOneOfTwoAttemptsThatBothPrepare() throws Exception {
    try (TestDatabase database = new TestDatabase(folder);
        TwoHosts hosts = new TwoHosts(folder)) {
      Map<String, String> settings = new HashMap<>(FaultJob.speculation());
      settings.put("spark.master", hosts.master());
      disturb(
          database,
          settings,
          Fault.ALL_WAIT,
          both -> {
            long one = Beacon.await(beacons, "at-0");
            long other = Beacon.await(beacons, "at-1");
            assertThat(one).isNotEqualTo(other);
            Beacon.await("both have prepared", () -> both.files("fragments").size() >= 2);
            Beacon.light(beacons, "go");
          });
    }
  }

  @Test
  void survivesPrimaryThatIsKilledWhenFragmentsArePrepared() throws Exception {
    try (TestDatabase database = new TestDatabase(folder, true)) {
      disturb(
          database,
          Map.of(),
          Fault.WAIT,
          failed -> {
            long unused = Beacon.await(beacons, "at-0");
            awaitPrepared(failed);
            Beacon.kill(failed.process(failed.primary()).pid());
            Beacon.light(beacons, "go");
          });
    }
  }

  @Test
  void writesAgainWhatWasLostWithItsDriverBeforeCommit() throws Exception {
    try (TestDatabase database = new TestDatabase(folder)) {
      RunningJob.makeTable(database, LocalSpark.session());
      long before = database.newest();
      Process driver = driver(database, Fault.WAIT);
      long pid = Beacon.await(beacons, "at-0");
      assertThat(pid).isEqualTo(driver.pid());
      awaitPrepared(database);
      Beacon.kill(pid);
      assertThat(database.rows("faults", "id")).isEmpty();

      assertThat(driver(database, Fault.NONE).waitFor()).isZero();

      RunningJob.requireExact(database, before);
    }
  }

  @Test
  void doesNotWriteAgainWhatItsDriverWasNotToldOf() throws Exception {
    try (TestDatabase database = new TestDatabase(folder)) {
      RunningJob.makeTable(database, LocalSpark.session());
      long before = database.newest();
      Process driver = driver(database, Fault.WAIT);
      long pid = Beacon.await(beacons, "at-0");
      Hold.LOGGED.arm(database.holds());
      Beacon.light(beacons, "go");
      long unused = Hold.awaitHeld(database.holds());
      Beacon.kill(pid);
      int killed = driver.waitFor();
      assertThat(killed).isNotZero();
      Hold.release(database.holds());

      assertThat(driver(database, Fault.NONE).waitFor()).isZero();

      RunningJob.requireExact(database, before);
    }
  }

  private Process driver(TestDatabase database, Fault fault) throws IOException {
    return ChildJvm.start(
        DriverMain.class,
        folder,
        List.of(database.servers(), database.store(), beacons, fault.name(), "1"));
  }

  @Test
  void survivesExecutorThatIsKilledWhenItHasReported() throws Exception {
    try (TestDatabase database = new TestDatabase(folder);
        ClusterSpark cluster = new ClusterSpark(RETRIES)) {
      AtomicInteger reported = countReports(cluster.session());
      RunningJob.makeTable(database, cluster.session());
      RunningJob job =
          RunningJob.begin(database, FaultJob.rows(cluster.session(), Fault.WAIT, beacons));
      long waiting = Beacon.await(beacons, "at-0");
      Beacon.await("the others have reported", () -> reported.get() == FaultJob.PARTITIONS - 1);
      long other = Beacon.await(beacons, "last");
      assertThat(other).isNotEqualTo(waiting);
      Beacon.kill(other);
      Beacon.light(beacons, "go");

      job.requireExact();
    }
  }

  @Test
  void survivesLossOfTheStageBefore() throws Exception {
    try (TestDatabase database = new TestDatabase(folder);
        ClusterSpark cluster = new ClusterSpark(RETRIES)) {
      RunningJob.makeTable(database, cluster.session());
      RunningJob job =
          RunningJob.begin(database, FaultJob.shuffled(cluster.session(), beacons, true));
      Beacon.kill(Beacon.await(beacons, "reduced"));

      job.requireExact();
    }
  }

  @Test
  void failsOrIsExactIfTheStageBeforeGivesOtherRowsAgain() throws Exception {
    try (TestDatabase database = new TestDatabase(folder);
        ClusterSpark cluster = new ClusterSpark(RETRIES)) {
      AtomicInteger reported = countReports(cluster.session());
      RunningJob.makeTable(database, cluster.session());
      RunningJob job =
          RunningJob.begin(database, FaultJob.shuffled(cluster.session(), beacons, false));
      long waiting = Beacon.await(beacons, "reduced");
      Beacon.await("another has reported", () -> reported.get() > 0);
      Beacon.kill(waiting);

      job.requireExactOrNothing();
    }
  }

  /** The tasks of a write that the driver knows to be done. */
  private static AtomicInteger countReports(SparkSession spark) {
    AtomicInteger reported = new AtomicInteger();
    spark
        .sparkContext()
        .addSparkListener(
            new SparkListener() {
              @Override
              public void onTaskEnd(SparkListenerTaskEnd end) {
                if (end.taskType().equals("ResultTask") && end.taskInfo().successful()) {
                  reported.incrementAndGet();
                }
              }
            });
    return reported;
  }
}
