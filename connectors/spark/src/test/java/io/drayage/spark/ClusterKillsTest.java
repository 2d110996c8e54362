package io.drayage.spark;

import static io.drayage.internal.Texts.format;
import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.frame.AppVersion;
import io.drayage.snapshot.SnapshotManifest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two drivers run jobs, which executors, drivers and primaries do not survive, at random times. In
 * the end there are exactly the rows of the jobs that the log names, each once; these are all that
 * have returned. {@code -Dspark.kills.minutes} is how long, {@code -Dspark.kills.seed} chooses who
 * is killed when.
 */
@Tag("nightly")
class ClusterKillsTest {
  private static final int MINUTES = Integer.getInteger("spark.kills.minutes", 3);
  private static final long SEED = Long.getLong("spark.kills.seed", System.nanoTime());
  private static final int DRIVERS = 2;
  private static final int KILLED = 128 + 9;

  /** So many kills, of which one is of a driver and one of a primary. */
  private static final int ROUND = 4;

  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

  @TempDir Path folder;

  private final SplittableRandom random = new SplittableRandom(SEED);
  private final Map<Integer, Process> drivers = new ConcurrentHashMap<>();
  private final Set<KillsJob> givenUp = ConcurrentHashMap.newKeySet();
  private final List<String> failures = new ArrayList<>();

  /** By what was killed. */
  private final Map<String, Integer> kills = new TreeMap<>();

  /** In the order of the log. */
  private final Map<KillsJob, SnapshotManifest> committed = new LinkedHashMap<>();

  private long read;
  private String beacons = "";

  @Test
  @Timeout(value = 90, unit = TimeUnit.MINUTES)
  void everyJobTakesEffectOnce() throws Exception {
    System.out.printf("spark.kills.seed=%d%n", SEED);
    beacons = Files.createDirectory(folder.resolve("beacons")).toString();
    try (TestDatabase database = TestDatabase.ofProcesses(folder)) {
      try {
        makeTables(database);
        List<CompletableFuture<KillsJob>> runs = new ArrayList<>();
        for (int driver = 0; driver < DRIVERS; driver++) {
          KillsJob first = new KillsJob(driver, 1);
          SplittableRandom own = random.split();
          runs.add(CompletableFuture.supplyAsync(() -> run(database, first, own)));
        }
        kill(database, runs);
        Beacon.light(beacons, "stop");
        for (CompletableFuture<KillsJob> run : runs) {
          requireAll(database, run.get(5, TimeUnit.MINUTES));
        }
        Beacon.await("no lease is left", () -> database.files("open").isEmpty());
        Beacon.await("no fragment is left", () -> database.files("fragments").isEmpty());
        requireRows(database);
        assertThat(kills).containsOnlyKeys("driver", "executor", "primary");
      } finally {
        drivers.values().forEach(ClusterKillsTest::end);
        database.endProcesses();
        System.out.printf(
            "seed %d: killed %s, jobs committed %d, given up %d, failed %s%n",
            SEED, kills, committed.size(), givenUp.size(), failures);
      }
      requireNothingElse(database);
    }
  }

  private static void end(Process driver) {
    List<ProcessHandle> executors = driver.descendants().toList();
    driver.destroyForcibly();
    executors.forEach(ProcessHandle::destroyForcibly);
  }

  private static void makeTables(TestDatabase database) {
    SparkSession spark = LocalSpark.session();
    database.addTo(spark, "d");
    spark.sql("CREATE TABLE d." + KillsJob.SHARED + " (id BIGINT, proof BIGINT, filler STRING)");
    for (int driver = 0; driver < DRIVERS; driver++) {
      spark.sql(
          "CREATE TABLE d." + KillsJob.own(driver) + " (id BIGINT, proof BIGINT, filler STRING)");
    }
    spark.stop();
  }

  /**
   * Runs a driver until it is told to stop: one that dies is followed by one that begins with the
   * same job, or gives that one up.
   *
   * @return the first job that was not run
   */
  private KillsJob run(TestDatabase database, KillsJob first, SplittableRandom own) {
    KillsJob next = first;
    try {
      while (true) {
        Process driver =
            ChildJvm.start(
                KillsDriver.class,
                folder,
                List.of(
                    database.servers(),
                    database.store(),
                    beacons,
                    Integer.toString(next.driver()),
                    Long.toString(next.version())));
        drivers.put(next.driver(), driver);
        int exit = driver.waitFor();
        while (Beacon.isLit(beacons, next.done())) {
          next = new KillsJob(next.driver(), next.version() + 1);
        }
        if (exit == 0) {
          return next;
        } else if (exit != KILLED) {
          failures.add(format("%tT: %s by %d", System.currentTimeMillis(), next, exit));
        } else if (own.nextInt(4) == 0) {
          givenUp.add(next);
          next = new KillsJob(next.driver(), next.version() + 1);
        }
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** While time is left, and for a round; what is needed to go on is there afterwards. */
  private void kill(TestDatabase database, List<CompletableFuture<KillsJob>> runs)
      throws Exception {
    long endNs = System.nanoTime() + Duration.ofMinutes(MINUTES).toNanos();
    for (int turn = 1;
        (turn <= ROUND || System.nanoTime() < endNs)
            && runs.stream().noneMatch(CompletableFuture::isDone);
        turn++) {
      awaitProgress();
      Thread.sleep(random.nextInt(8_000));
      readLog(database);
      database.requireProcesses();
      int driver = random.nextInt(DRIVERS);
      switch (turn % ROUND) {
        case 0 -> kill("driver", process(driver));
        case 2 -> killPrimary(database);
        default -> {
          Beacon.await("an executor", () -> !executors(driver).isEmpty());
          List<ProcessHandle> executors = executors(driver);
          int which = random.nextInt(Integer.MAX_VALUE);
          if (!executors.isEmpty()) {
            kill("executor", executors.get(which % executors.size()));
          }
        }
      }
    }
  }

  private void killPrimary(TestDatabase database) throws Exception {
    String primary = database.primary();
    kill("primary", database.process(primary).toHandle());
    Thread.sleep(random.nextInt(5_000));
    database.start(primary);
  }

  private ProcessHandle process(int driver) {
    return Objects.requireNonNull(drivers.get(driver)).toHandle();
  }

  /** Drivers start no other Java; its command line is longer than what can be asked for. */
  private List<ProcessHandle> executors(int driver) {
    return process(driver)
        .descendants()
        .filter(each -> each.info().command().orElse("").endsWith("java"))
        .toList();
  }

  /** Until a job is done, or for a while: so that also on a slow machine most jobs get done. */
  private void awaitProgress() throws Exception {
    int before = Beacon.all(beacons).size();
    long endNs = System.nanoTime() + LONGEST_PAUSE.toNanos();
    while (System.nanoTime() < endNs && Beacon.all(beacons).size() == before) {
      Thread.sleep(100);
    }
  }

  private void kill(String what, ProcessHandle process) {
    System.out.printf("%tT kill %s %d%n", System.currentTimeMillis(), what, process.pid());
    if (process.destroyForcibly()) {
      kills.merge(what, 1, Integer::sum);
    }
  }

  /** Fails if a job has two entries. */
  private void readLog(TestDatabase database) throws IOException {
    for (SnapshotManifest manifest : database.committedSince(read)) {
      read = manifest.timestamp();
      AppVersion app = Objects.requireNonNull(manifest.transaction()).app();
      if (app != null) {
        assertThat(committed.put(KillsJob.of(app), manifest)).as("before %s", manifest).isNull();
      }
    }
  }

  /** Fails unless all jobs of a driver were committed, but for those that were given up. */
  private void requireAll(TestDatabase database, KillsJob end) throws IOException {
    readLog(database);
    for (long version = 1; version < end.version(); version++) {
      KillsJob job = new KillsJob(end.driver(), version);
      assertThat(committed.containsKey(job) || givenUp.contains(job)).as("%s", job).isTrue();
    }
  }

  /** Fails unless every table has what the log says. */
  private void requireRows(TestDatabase database) throws IOException {
    readLog(database);
    Map<String, Set<KillsJob>> expected = new HashMap<>();
    committed.forEach(
        (job, entry) -> {
          Set<KillsJob> of = expected.computeIfAbsent(job.table(), unused -> new HashSet<>());
          if (job.overwrites()) {
            long base = Objects.requireNonNull(entry.transaction()).baseSnapshot();
            of.removeIf(each -> Objects.requireNonNull(committed.get(each)).timestamp() <= base);
          }
          of.add(job);
        });
    for (Map.Entry<String, Set<KillsJob>> table : expected.entrySet()) {
      List<Long> ids = new ArrayList<>();
      database.forEachRow(
          table.getKey(),
          row -> {
            ids.add((Long) row.get(0));
            assertThat(row.get(1)).isEqualTo((Long) row.get(0) * 31);
          },
          "id",
          "proof");
      long[] wanted = table.getValue().stream().flatMapToLong(KillsJob::ids).sorted().toArray();
      assertThat(ids.stream().mapToLong(Long::longValue).sorted().toArray())
          .as(table.getKey())
          .isEqualTo(wanted);
    }
  }

  private static void requireNothingElse(TestDatabase database) throws IOException {
    System.out.printf("%d objects deleted by their age%n", database.deleteAnHourLater());
    assertThat(database.unreferencedData()).isEmpty();
  }
}
