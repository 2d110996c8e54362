package io.drayage.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.spark.FaultJob.Fault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
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

  private static final String TABLE =
      "CREATE TABLE d.faults (id BIGINT, proof BIGINT, filler STRING)";

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
      SparkSession spark = cluster.session();
      database.addTo(spark, "d");
      spark.sql(TABLE);
      long before = database.newest();
      Dataset<Row> rows = FaultJob.rows(spark, fault, beacons);
      CompletableFuture<Void> job = CompletableFuture.runAsync(() -> append(rows));

      disturbance.run(database);

      job.get(300, TimeUnit.SECONDS);
      requireExact(database, before);
    }
  }

  private static void append(Dataset<Row> rows) {
    try {
      rows.writeTo("d.faults").append();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static void requireExact(TestDatabase database, long before) throws IOException {
    assertThat(database.rows("faults", "id", "proof"))
        .isEqualTo(TestDatabase.sorted(FaultJob.expected()));
    assertThat(database.commitsSince(before)).isEqualTo(1);
    Beacon.await("the fragments are gone", () -> database.files("fragments").isEmpty());
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
      makeTable(database);
      long before = database.newest();
      Process driver = driver(database, Fault.WAIT);
      long pid = Beacon.await(beacons, "at-0");
      assertThat(pid).isEqualTo(driver.pid());
      awaitPrepared(database);
      Beacon.kill(pid);
      assertThat(database.rows("faults", "id")).isEmpty();

      assertThat(driver(database, Fault.NONE).waitFor()).isZero();

      requireExact(database, before);
    }
  }

  @Test
  void doesNotWriteAgainWhatItsDriverWasNotToldOf() throws Exception {
    try (TestDatabase database = new TestDatabase(folder)) {
      makeTable(database);
      long before = database.newest();
      Process driver = driver(database, Fault.WAIT);
      long pid = Beacon.await(beacons, "at-0");
      database.objects().holdNextEntry();
      Beacon.light(beacons, "go");
      database.objects().awaitHeld();
      Beacon.kill(pid);
      int unused = driver.waitFor();
      database.objects().release();

      assertThat(driver(database, Fault.NONE).waitFor()).isZero();

      requireExact(database, before);
    }
  }

  private static void makeTable(TestDatabase database) {
    SparkSession spark = LocalSpark.session();
    database.addTo(spark, "d");
    spark.sql(TABLE);
  }

  private Process driver(TestDatabase database, Fault fault) throws IOException {
    return ChildJvm.start(
        DriverMain.class,
        folder,
        List.of(database.servers(), database.store(), beacons, fault.name(), "1"));
  }

  @Test
  void survivesLossOfTheStageBefore() throws Exception {
    try (TestDatabase database = new TestDatabase(folder)) {
      try (ClusterSpark cluster = new ClusterSpark(RETRIES)) {
        SparkSession spark = cluster.session();
        database.addTo(spark, "d");
        spark.sql(TABLE);
        long before = database.newest();
        Dataset<Row> rows = FaultJob.shuffled(spark, beacons);
        CompletableFuture<Void> job = CompletableFuture.runAsync(() -> append(rows));

        Beacon.kill(Beacon.await(beacons, "reduced"));

        job.get(300, TimeUnit.SECONDS);
        requireExact(database, before);
      }
    }
  }
}
