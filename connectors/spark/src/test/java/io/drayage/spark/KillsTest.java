package io.drayage.spark;

import static io.drayage.internal.Texts.format;
import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.frame.AppVersion;
import io.drayage.snapshot.SnapshotManifest;
import io.drayage.spark.SparkDriver.Work;
import java.io.IOException;
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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Two drivers run jobs, or one driver runs a stream, while executors, drivers and primaries are
 * killed at random times. A stream whose driver was killed may have lost its last commit. At the
 * end, the tables have exactly the rows of the jobs and epochs in the log, each once, and the log
 * has all that have returned. {@code -Dspark.kills.minutes} is the duration, {@code
 * -Dspark.kills.seed} chooses the victims and times.
 */
@Tag("nightly")
class KillsTest {
  private static final int MINUTES = Integer.getInteger("spark.kills.minutes", 3);
  private static final long SEED = Long.getLong("spark.kills.seed", System.nanoTime());
  private static final int KILLED = 128 + 9;

  /** Number of kills, among them one of a driver and one of a primary. */
  private static final int ROUND = 4;

  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(60);

  @TempDir Path folder;

  private final SplittableRandom random = new SplittableRandom(SEED);
  private final Map<Integer, Process> drivers = new ConcurrentHashMap<>();
  private final Set<KilledJob> givenUp = ConcurrentHashMap.newKeySet();

  /** Other events, by name. */
  private final Map<String, Integer> events = new ConcurrentHashMap<>();

  /** Number of kills, by the kind of process. */
  private final Map<String, Integer> kills = new TreeMap<>();

  /** Committed jobs in the order of the log. */
  private final Map<KilledJob, SnapshotManifest> committed = new LinkedHashMap<>();

  private final Set<String> apps = new HashSet<>();
  private long read;

  @ParameterizedTest
  @EnumSource(names = {"JOBS", "ENDLESS_STREAM"})
  @Timeout(value = 90, unit = TimeUnit.MINUTES)
  void everythingTakesEffectOnce(Work work) throws Exception {
    System.out.printf("spark.kills.seed=%d%n", SEED);
    List<Integer> numbers = work == Work.JOBS ? List.of(0, 1) : List.of(KilledJob.OF_STREAM);
    try (TestDatabase database = TestDatabase.ofProcesses(folder)) {
      for (String table :
          List.of(KilledJob.SHARED, KilledJob.own(0), KilledJob.own(1), KilledJob.STREAM)) {
        database.makeTable(table);
      }
      List<CompletableFuture<KilledJob>> runs = new ArrayList<>();
      for (int number : numbers) {
        SplittableRandom own = random.split();
        runs.add(CompletableFuture.supplyAsync(() -> run(database, work, number, own)));
      }
      try {
        kill(database, runs);
        if (work == Work.ENDLESS_STREAM) {
          int before = committed.size();
          Beacon.await("an epoch", () -> readLog(database) > before);
        }
        Beacon.light(database.beacons(), "stop");
        for (CompletableFuture<KilledJob> run : runs) {
          requireAll(database, run.get(5, TimeUnit.MINUTES));
        }
        Beacon.await("no lease is left", () -> database.files("open").isEmpty());
        Beacon.await("no fragment is left", () -> database.files("fragments").isEmpty());
        requireRows(database);
        assertThat(kills).containsOnlyKeys("driver", "executor", "primary");
        assertThat(apps).hasSize(numbers.size());
      } finally {
        System.out.printf(
            "seed %d: killed %s, committed %d, given up %d, other ends %s%n",
            SEED, kills, committed.size(), givenUp.size(), events);
      }
      database.endProcesses();
      System.out.printf("%d objects deleted by their age%n", database.deleteAnHourLater());
      assertThat(database.unreferencedData()).isEmpty();
    }
  }

  /**
   * Runs a driver until it is stopped. After a killed driver, the next one begins with the same
   * job, or skips it, or its stream has lost its newest commit.
   *
   * @return the first job that was not run
   */
  private KilledJob run(TestDatabase database, Work work, int number, SplittableRandom own) {
    KilledJob next = new KilledJob(number, 1);
    try {
      while (true) {
        Process driver =
            database.drive(
                work,
                ClusterSpark.TWO_EXECUTORS,
                Integer.toString(number),
                Long.toString(next.version()));
        drivers.put(number, driver);
        int exit = driver.waitFor();
        while (Beacon.isLit(database.beacons(), next.done())) {
          next = next.next();
        }
        if (exit == 0) {
          return next;
        } else if (exit != KILLED) {
          events.merge(format("%s by %d", next, exit), 1, Integer::sum);
        }
        if (own.nextInt(4) == 0 && work == Work.JOBS) {
          givenUp.add(next);
          next = next.next();
        } else if (own.nextBoolean()
            && work == Work.ENDLESS_STREAM
            && Checkpoint.forgetNewestCommit(SparkDriver.checkpoint(database.beacons()))) {
          events.merge("commit forgotten", 1, Integer::sum);
        }
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Kills processes while time is left, at least for a round, and then restarts them. */
  private void kill(TestDatabase database, List<CompletableFuture<KilledJob>> runs)
      throws Exception {
    long endNs = System.nanoTime() + Duration.ofMinutes(MINUTES).toNanos();
    for (int turn = 1;
        (turn <= ROUND || System.nanoTime() < endNs)
            && runs.stream().noneMatch(CompletableFuture::isDone);
        turn++) {
      awaitProgress(database);
      Thread.sleep(random.nextInt(8_000));
      database.requireProcesses();
      List<Process> all = List.copyOf(drivers.values());
      Process driver = all.get(random.nextInt(all.size()));
      switch (turn % ROUND) {
        case 0 -> kill("driver", driver.toHandle());
        case 2 -> {
          String primary = database.primary();
          kill("primary", database.process(primary).toHandle());
          Thread.sleep(random.nextInt(5_000));
          database.start(primary);
        }
        default -> {
          Beacon.await("an executor", () -> !executors(driver).isEmpty() || !driver.isAlive());
          List<ProcessHandle> executors = executors(driver);
          int which = random.nextInt(Integer.MAX_VALUE);
          if (!executors.isEmpty()) {
            kill("executor", executors.get(which % executors.size()));
          }
        }
      }
    }
  }

  /** Returns the Java processes that a driver has started: its executors. */
  private static List<ProcessHandle> executors(Process driver) {
    return driver
        .descendants()
        .filter(each -> each.info().command().orElse("").endsWith("java"))
        .toList();
  }

  /** Waits for a commit, or for a limited time, so that jobs also commit on a slow machine. */
  private void awaitProgress(TestDatabase database) throws Exception {
    int before = committed.size();
    long endNs = System.nanoTime() + LONGEST_PAUSE.toNanos();
    while (readLog(database) == before && System.nanoTime() < endNs) {
      Thread.sleep(100);
    }
  }

  private void kill(String what, ProcessHandle process) {
    System.out.printf("%tT kill %s %d%n", System.currentTimeMillis(), what, process.pid());
    if (process.destroyForcibly()) {
      kills.merge(what, 1, Integer::sum);
    }
  }

  /**
   * Fails if a job has two entries, or an epoch does not follow the one before.
   *
   * @return the number of commits
   */
  private int readLog(TestDatabase database) throws IOException {
    for (SnapshotManifest manifest : database.committedSince(read)) {
      read = manifest.timestamp();
      AppVersion app = Objects.requireNonNull(manifest.transaction()).app();
      if (app != null) {
        apps.add(app.app());
        KilledJob job = KilledJob.of(app);
        if (job.driver() == KilledJob.OF_STREAM) {
          assertThat(job.version()).isEqualTo(committed.size());
        }
        assertThat(committed.put(job, manifest)).as("before %s", manifest).isNull();
      }
    }
    return committed.size();
  }

  /** Fails unless all jobs of a driver were committed, except for skipped ones. */
  private void requireAll(TestDatabase database, KilledJob end) throws IOException {
    int unused = readLog(database);
    for (KilledJob job = new KilledJob(end.driver(), 1); !job.equals(end); job = job.next()) {
      assertThat(committed.containsKey(job) || givenUp.contains(job)).as("%s", job).isTrue();
    }
  }

  /** Fails unless every table has the rows of the log, in the order of epochs. */
  private void requireRows(TestDatabase database) throws IOException {
    Map<String, Set<KilledJob>> expected = new HashMap<>();
    committed.forEach(
        (job, entry) -> {
          Set<KilledJob> of = expected.computeIfAbsent(job.table(), unused -> new HashSet<>());
          if (job.overwrites()) {
            long base = Objects.requireNonNull(entry.transaction()).baseSnapshot();
            of.removeIf(each -> Objects.requireNonNull(committed.get(each)).timestamp() <= base);
          }
          of.add(job);
        });
    for (Map.Entry<String, Set<KilledJob>> table : expected.entrySet()) {
      List<Long> ids = new ArrayList<>();
      database.forEachRow(
          table.getKey(),
          row -> {
            ids.add((Long) row.get(0));
            assertThat(row.get(1)).isEqualTo((Long) row.get(0) * 31);
          },
          "id",
          "proof");
      if (table.getKey().equals(KilledJob.STREAM)) {
        assertThat(ids.stream().map(id -> id / KilledJob.EPOCH_ROWS).toList()).isSorted();
      }
      long[] wanted = table.getValue().stream().flatMapToLong(KilledJob::ids).sorted().toArray();
      assertThat(ids.stream().mapToLong(Long::longValue).sorted().toArray())
          .as(table.getKey())
          .isEqualTo(wanted);
    }
  }
}
