package io.drayage.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.frame.AppVersion;
import io.drayage.snapshot.SnapshotManifest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A stream whose executors, drivers and primaries are killed at random times; half of the dead
 * drivers have forgotten their last commit. In the end each row is there once, and the log has an
 * entry for each epoch, in their order. {@code -Dspark.kills.minutes} is how long, {@code
 * -Dspark.kills.seed} chooses who is killed when.
 */
@Tag("nightly")
class StreamKillsTest {
  private static final int MINUTES = Integer.getInteger("spark.kills.minutes", 3);
  private static final long SEED = Long.getLong("spark.kills.seed", System.nanoTime());
  private static final int KILLED = 128 + 9;

  @TempDir Path folder;

  private final SplittableRandom random = new SplittableRandom(SEED);

  /** By what happened. */
  private final Map<String, Integer> events = new TreeMap<>();

  private volatile @Nullable Process driver;
  private Path beacons = Path.of("");
  private long read;
  private @Nullable String query;
  private long epochs;

  @Test
  @Timeout(value = 90, unit = TimeUnit.MINUTES)
  void everyRowIsThereOnceInTheOrderOfEpochs() throws Exception {
    System.out.printf("spark.kills.seed=%d%n", SEED);
    beacons = Files.createDirectory(folder.resolve("beacons"));
    try (TestDatabase database = TestDatabase.ofProcesses(folder)) {
      try {
        makeTable(database);
        SplittableRandom own = random.split();
        CompletableFuture<Void> run = CompletableFuture.runAsync(() -> run(database, own));
        kill(database, run);
        awaitEpoch(database);
        Beacon.light(beacons.toString(), "stop");
        run.get(5, TimeUnit.MINUTES);
        readLog(database);
        Beacon.await("no lease is left", () -> database.files("open").isEmpty());
        Beacon.await("no fragment is left", () -> database.files("fragments").isEmpty());
        requireRows(database);
      } finally {
        Process last = driver;
        if (last != null) {
          end(last);
        }
        System.out.printf("seed %d: %s, %d epochs%n", SEED, events, epochs);
      }
    }
  }

  private static void end(Process driver) {
    List<ProcessHandle> executors = driver.descendants().toList();
    driver.destroyForcibly();
    executors.forEach(ProcessHandle::destroyForcibly);
  }

  private static void makeTable(TestDatabase database) {
    SparkSession spark = LocalSpark.session().newSession();
    database.addTo(spark, "d");
    spark.sql("CREATE TABLE d.stream (id BIGINT, proof BIGINT)");
    spark.stop();
  }

  /** Runs a driver until it is told to stop: one that dies is followed by another. */
  private void run(TestDatabase database, SplittableRandom own) {
    try {
      int exit = -1;
      while (exit != 0) {
        Process started =
            ChildJvm.start(
                StreamKillsDriver.class,
                folder,
                List.of(database.servers(), database.store(), beacons.toString()));
        driver = started;
        exit = started.waitFor();
        if (exit != 0) {
          count(exit == KILLED ? "driver died" : "stream failed");
        }
        if (exit != 0 && own.nextBoolean()) {
          forgetNewestCommit();
        }
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private void forgetNewestCommit() throws IOException {
    if (Checkpoint.forgetNewestCommit(StreamKillsDriver.checkpoint(beacons))) {
      count("commit forgotten");
    }
  }

  private synchronized void count(String event) {
    System.out.printf("%tT %s, %d epochs%n", System.currentTimeMillis(), event, epochs);
    events.merge(event, 1, Integer::sum);
  }

  /**
   * While time is left: a driver or an executor each time that an epoch was committed since, and
   * primaries. What is needed to go on is there afterwards.
   */
  private void kill(TestDatabase database, CompletableFuture<Void> run) throws Exception {
    long endNs = System.nanoTime() + Duration.ofMinutes(MINUTES).toNanos();
    long epochsOfKilled = 0;
    while (System.nanoTime() < endNs && !run.isDone()) {
      Thread.sleep(random.nextInt(3_000, 20_000));
      readLog(database);
      Process running = Objects.requireNonNull(driver);
      int what = random.nextInt(10);
      if (what < 2) {
        String primary = database.primary();
        kill("primary", database.process(primary).toHandle());
        Thread.sleep(random.nextInt(5_000));
        database.start(primary);
      } else if (epochs > epochsOfKilled) {
        epochsOfKilled = epochs;
        List<ProcessHandle> executors =
            running.descendants().filter(StreamKillsTest::isExecutor).toList();
        if (what < 5 || executors.isEmpty()) {
          kill("driver", running.toHandle());
        } else {
          kill("executor", executors.get(random.nextInt(executors.size())));
        }
      }
    }
  }

  private void awaitEpoch(TestDatabase database) {
    long before = epochs;
    Beacon.await(
        "an epoch",
        () -> {
          readLog(database);
          return epochs > before;
        });
  }

  /** Its command line is too long to be told whole. */
  private static boolean isExecutor(ProcessHandle process) {
    return process.info().command().orElse("").endsWith("java");
  }

  private void kill(String what, ProcessHandle process) {
    if (process.destroyForcibly()) {
      count(what + " killed");
    }
  }

  /** Fails unless each entry of the log is of the epoch that follows. */
  private synchronized void readLog(TestDatabase database) throws IOException {
    for (SnapshotManifest manifest : database.committedSince(read)) {
      read = manifest.timestamp();
      AppVersion app = Objects.requireNonNull(manifest.transaction()).app();
      if (app != null) {
        query = Objects.requireNonNullElse(query, app.app());
        assertThat(app).isEqualTo(new AppVersion(query, epochs, app.tables()));
        epochs++;
      }
    }
  }

  /** Fails unless each row is there once, with those of its epoch. */
  private void requireRows(TestDatabase database) throws IOException {
    BitSet seen = new BitSet();
    int[] rows = {0};
    database.forEachRow(
        "stream",
        row -> {
          int id = Math.toIntExact((Long) row.get(0));
          assertThat(row.get(1)).isEqualTo(id * 31L);
          assertThat(id / StreamKillsDriver.EPOCH_ROWS)
              .as("epoch of row %d", rows[0])
              .isEqualTo(rows[0] / StreamKillsDriver.EPOCH_ROWS);
          assertThat(seen.get(id)).as("%d is there once more", id).isFalse();
          seen.set(id);
          rows[0]++;
        });
    assertThat(rows[0]).isEqualTo(Math.toIntExact(epochs * StreamKillsDriver.EPOCH_ROWS));
    assertThat(seen.nextClearBit(0)).isEqualTo(rows[0]);
  }
}
