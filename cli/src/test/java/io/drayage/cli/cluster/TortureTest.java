package io.drayage.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.isolation.FinalState;
import io.drayage.isolation.IsolationChecker;
import io.drayage.isolation.ListSession;
import io.drayage.isolation.TransactionHistory;
import io.drayage.isolation.TransactionOutcome;
import io.drayage.objectstore.ObjectStore;
import io.drayage.snapshot.SnapshotKeys;
import io.drayage.store.StoreSnapshot;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs real processes with one fault after another, sometimes two at a time. At the end, the
 * histories of all workers are compared with each other and the store. {@code -Dtorture.minutes} is
 * the duration, {@code -Dtorture.callers} the number of sessions. {@code -Dtorture.seed} chooses
 * the faults, but not their exact times.
 */
@Tag("nightly")
@Timeout(value = 3, unit = TimeUnit.HOURS)
class TortureTest {
  private static final int MINUTES = Integer.getInteger("torture.minutes", 3);

  /** The longest time to a commit without a fault. */
  private static final long PROGRESS_S = 90;

  /** The longest time after the last transaction until data without effect is deleted. */
  private static final long LEFT_S = 150;

  private static final Pattern OUTCOME = Pattern.compile("\"outcome\":\"([A-Z_]+)\"");

  private static final List<Torment.Kind> PROCESSES =
      List.of(
          Torment.Kind.KILL_TRANSACTOR,
          Torment.Kind.KILL_WORKER,
          Torment.Kind.PAUSE_TRANSACTOR,
          Torment.Kind.PAUSE_WORKER);

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  private Path folder;

  private final long seed = Long.getLong("torture.seed", System.nanoTime());
  private final SplittableRandom random = new SplittableRandom(seed);
  private final Map<Torment.Kind, Integer> faults = new TreeMap<>();

  /** The bytes that were read of each history, and the outcomes in them. */
  private final Map<Path, Long> countedBytes = new HashMap<>();

  private final Map<String, Long> outcomes = new HashMap<>();

  @Test
  void nothingIsLostOnAFolder() throws Exception {
    try (TortureCluster cluster = new TortureCluster(folder, false, "256m", 0, seed)) {
      awaitProgress(cluster);
      torture(cluster, List.of(Torment.Kind.values()));
      TransactionHistory unused = check(cluster);
    }
  }

  @Test
  void nothingIsLostOnS3() throws Exception {
    try (TortureCluster cluster = new TortureCluster(folder, true, "256m", 0, seed)) {
      awaitProgress(cluster);
      torture(cluster, List.of(Torment.Kind.values()));
      TransactionHistory unused = check(cluster);
    }
  }

  @Test
  void aDatabaseThatOutgrowsTheHeapIsFullAndGoesOnWithALargerOne() throws Exception {
    try (TortureCluster cluster = new TortureCluster(folder, false, "48m", 50_000, seed)) {
      awaitProgress(cluster);
      torture(cluster, PROCESSES);
      assertThat(count(cluster, TransactionOutcome.FULL)).isPositive();

      cluster.setHeap("256m");
      for (TortureCluster.Member transactor : cluster.transactors) {
        transactor.kill();
        transactor.up();
      }
      awaitProgress(cluster);
      TransactionHistory history = check(cluster);
      assertThat(history.count(TransactionOutcome.FULL)).isPositive();
      assertThat(cluster.ends).as("nobody ran out of memory").isEmpty();
    }
  }

  private void torture(TortureCluster cluster, List<Torment.Kind> kinds) throws Exception {
    System.out.printf("torture: seed %d%n", seed);
    long endNs = System.nanoTime() + TimeUnit.MINUTES.toNanos(MINUTES);
    while (System.nanoTime() < endNs) {
      Torment first = begin(cluster, kinds);
      if (random.nextInt(4) == 0) {
        Torment second = begin(cluster, kinds);
        pause(cluster, second.lengthMs());
        second.heal();
      }
      pause(cluster, first.lengthMs());
      first.heal();
      if (random.nextInt(3) > 0) {
        awaitProgress(cluster);
      }
    }
    awaitProgress(cluster);
  }

  private Torment begin(TortureCluster cluster, List<Torment.Kind> kinds) throws Exception {
    Torment torment = Torment.begin(kinds, cluster, random);
    faults.merge(torment.kind(), 1, Integer::sum);
    System.out.println("torture: " + torment);
    return torment;
  }

  private static void pause(TortureCluster cluster, int ms) throws Exception {
    long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(ms);
    while (System.nanoTime() < endNs) {
      TimeUnit.MILLISECONDS.sleep(50);
      cluster.supervise();
    }
  }

  /** Waits for the answer to a transaction that begins after now. */
  private void awaitProgress(TortureCluster cluster) throws Exception {
    long before = answers(cluster) + 2 * TortureCluster.WORKERS;
    long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(PROGRESS_S);
    while (answers(cluster) <= before) {
      assertThat(System.nanoTime() - deadlineNs)
          .as("no progress, seed %d, after %s; see %s", seed, faults, cluster.folder)
          .isNegative();
      pause(cluster, 200);
    }
  }

  private long answers(TortureCluster cluster) throws IOException {
    return count(cluster, TransactionOutcome.COMMITTED) + count(cluster, TransactionOutcome.FULL);
  }

  private long count(TortureCluster cluster, TransactionOutcome outcome) throws IOException {
    for (Path file : cluster.histories()) {
      long readBytes = countedBytes.getOrDefault(file, 0L);
      byte[] more;
      try (InputStream in = Files.newInputStream(file)) {
        in.skipNBytes(readBytes);
        more = in.readAllBytes();
      }
      String text = new String(more, StandardCharsets.UTF_8);
      int end = text.lastIndexOf('\n') + 1;
      countedBytes.put(
          file, readBytes + text.substring(0, end).getBytes(StandardCharsets.UTF_8).length);
      Matcher ended = OUTCOME.matcher(text.substring(0, end));
      while (ended.find()) {
        outcomes.merge(ended.group(1), 1L, Long::sum);
      }
    }
    return outcomes.getOrDefault(outcome.name(), 0L);
  }

  /** Ends all processes in order, and compares their histories. */
  private TransactionHistory check(TortureCluster cluster) throws Exception {
    Files.createFile(cluster.folder.resolve("stop"));
    for (TortureCluster.Member worker : cluster.workers) {
      worker.child().awaitLine("stopped");
    }
    awaitEndOfTransactions(cluster);
    Files.createFile(cluster.folder.resolve("finish"));
    List<String> digests = new ArrayList<>();
    for (TortureCluster.Member worker : cluster.workers) {
      worker.child().awaitLine("digest ");
      digests.add(
          worker
              .child()
              .output()
              .lines()
              .filter(line -> line.startsWith("digest "))
              .toList()
              .get(0));
    }
    for (TortureCluster.Member transactor : cluster.transactors) {
      assertThat(transactor.child().terminate()).as(transactor.name).isEqualTo(143);
    }
    TransactionHistory history = new TransactionHistory();
    for (Path file : cluster.histories()) {
      history.read(file);
    }
    try (ObjectStore store = cluster.openStore()) {
      StoreSnapshot last = FinalState.addTo(history, store);
      System.out.printf(
          "torture: seed %d, %d minutes, faults %s, %s, %d sessions at a time, snapshot %d, ended by itself"
              + " %s%n",
          seed,
          MINUTES,
          faults,
          history.summary(),
          TortureCluster.WORKERS * TortureCluster.SESSIONS,
          last.timestamp(),
          cluster.ends);
      if (cluster.isTogether()) {
        checkTogether(cluster, history, store, last);
      }
      assertThat(IsolationChecker.check(history, true)).as("seed %d", seed).isEmpty();
      String expected = "digest %s of snapshot".formatted(ListSession.digest(last));
      assertThat(digests)
          .as("seed %d", seed)
          .allSatisfy(digest -> assertThat(digest).startsWith(expected).endsWith("loaded"));
    }
    return history;
  }

  /** Waits until open transactions have expired, which nobody renews. */
  private static void awaitEndOfTransactions(TortureCluster cluster) throws Exception {
    long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(LEFT_S);
    try (ObjectStore store = cluster.openStore()) {
      while (!store.list(SnapshotKeys.OPEN).isEmpty()
          || !store.list(SnapshotKeys.FRAGMENTS).isEmpty()) {
        assertThat(System.nanoTime() - deadlineNs)
            .as("%s", store.list(SnapshotKeys.FRAGMENTS))
            .isNegative();
        pause(cluster, 200);
      }
    }
  }

  /** Requires that the log has a transaction of several workers exactly if all its rows exist. */
  private static void checkTogether(
      TortureCluster cluster, TransactionHistory history, ObjectStore store, StoreSnapshot last)
      throws IOException {
    Set<UUID> whole = TortureTogether.requireWholeTransactions(last);
    List<UUID> together = TortureTogether.begun(cluster.folder);
    assertThat(history.inLog(together)).containsExactlyInAnyOrderElementsOf(whole);
    System.out.printf(
        "torture: of %d parts each, %s; %d objects had no record%n",
        TortureTogether.PARTS,
        history.fates(together),
        TortureTogether.requireNothingIsLeft(store));
  }
}
