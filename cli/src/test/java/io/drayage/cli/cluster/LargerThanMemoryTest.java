package io.drayage.cli.cluster;

import static io.drayage.internal.Texts.format;
import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.bench.rig.Child;
import io.drayage.cli.Drayage;
import io.drayage.cli.cluster.FragmentProcesses.Share;
import io.drayage.coordination.Coordination;
import io.drayage.receive.AllowedCodecs;
import io.drayage.replica.Replica;
import io.drayage.snapshot.SnapshotCatalog;
import io.drayage.snapshot.recovery.SnapshotVerifier;
import io.drayage.store.column.StoredTable;
import io.drayage.worker.DistributedTransaction;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Sends one transaction from processes whose shares are larger than their heaps to a transactor in
 * another process. {@code -Dlarge.mb} is the size of all shares together; {@code -Dlarge.workers},
 * {@code -Dlarge.worker.heap} and {@code -Dlarge.transactor.heap} belong to it.
 */
@Tag("nightly")
@Timeout(value = 1, unit = TimeUnit.HOURS)
class LargerThanMemoryTest {
  private static final long MEGABYTES = Long.getLong("large.mb", 400);
  private static final int WORKERS = Integer.getInteger("large.workers", 4);
  private static final String WORKER_HEAP = System.getProperty("large.worker.heap", "64m");
  private static final String TRANSACTOR_HEAP =
      System.getProperty("large.transactor.heap", "1500m");

  /** The part of this heap for loading the database again: one in this many. */
  private static final int SHARE_OF_HEAP = 3;

  private static final long ROW_BYTES = (long) LargeShareChild.COLUMNS * Long.BYTES;
  private static final long ROWS = MEGABYTES * 1_000_000 / ROW_BYTES / WORKERS;

  @TempDir private Path folder;

  @Test
  void aTransactionIsLargerThanTheMemoryOfItsWorkers() throws Exception {
    Consumer<String> report = System.out::println;
    try (RealCluster cluster = new RealCluster(folder);
        ChildNode transactor = transactor(cluster);
        Coordination coordination = ZooKeeperLogin.open(cluster.servers(), 4_000)) {
      transactor.awaitLine("is primary from");
      long beganNs = System.nanoTime();
      List<UUID> fragments = new ArrayList<>();
      long snapshot;
      long sentNs;
      try (DistributedTransaction large =
              DistributedTransaction.begin(
                  new DistributedTransaction.Options("large"),
                  coordination,
                  LargeShareChild::sender);
          FragmentProcesses workers =
              FragmentProcesses.start(
                  WORKERS, large.handle(), number -> worker(cluster, number), report)) {
        for (Share share : workers.await()) {
          fragments.addAll(share.fragments());
        }
        sentNs = System.nanoTime();
        snapshot = large.commit(fragments).snapshot();
      }
      System.out.println(
          format(
              "%,d MB in %d fragments of %d workers of -Xmx%s: sent in %.1f s, committed in %.1f s; the transactor took %,d MB",
              MEGABYTES,
              fragments.size(),
              WORKERS,
              WORKER_HEAP,
              (sentNs - beganNs) / 1e9,
              (System.nanoTime() - sentNs) / 1e9,
              transactor.peakBytes() / 1_000_000));
      assertThat(fragments.size()).isGreaterThanOrEqualTo(WORKERS);
      check(cluster, snapshot, fragments.size());
    }
  }

  private ChildNode transactor(RealCluster cluster) throws Exception {
    List<String> command =
        new ArrayList<>(Child.command(Drayage.class, List.of("-Xmx" + TRANSACTOR_HEAP)));
    command.addAll(
        List.of(
            "transactor",
            "--name=t",
            "--listen=127.0.0.1:0",
            "--warm-up=0",
            "--data=" + folder.resolve("t"),
            "--store=" + cluster.store(),
            "--zookeeper=" + cluster.servers(),
            "--max-database=" + MEGABYTES * 11 / 10 + "MB"));
    return ChildNode.start("t", folder.resolve("t.log"), command);
  }

  private static List<String> worker(RealCluster cluster, int number) {
    List<String> command =
        new ArrayList<>(Child.command(LargeShareChild.class, List.of("-Xmx" + WORKER_HEAP)));
    command.addAll(List.of(cluster.servers(), Long.toString(ROWS), Integer.toString(number)));
    return command;
  }

  /** Requires one entry of the log for all of it, which decodes to the workers' data. */
  private static void check(RealCluster cluster, long snapshot, int fragments) throws Exception {
    SnapshotCatalog catalog = new SnapshotCatalog(cluster.objects);
    assertThat(catalog.entry(snapshot).manifest().references()).hasSize(fragments);
    List<String> wrong = new ArrayList<>();
    int unused =
        new SnapshotVerifier(catalog)
            .verify(
                finding -> {
                  if (!finding.isOk()) {
                    wrong.add(finding.toString());
                  }
                });
    assertThat(wrong).isEmpty();
    if (MEGABYTES * 1_000_000 > Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP) {
      return;
    }
    try (Replica replica = Replica.open(cluster.objects, 2, 1 << 30, 0, AllowedCodecs.DATA_ONLY)) {
      assertThat(replica.advance(Long.MAX_VALUE)).isGreaterThanOrEqualTo(snapshot);
      StoredTable table = replica.snapshot().table(LargeShareChild.TABLE);
      assertThat(table.rowCount()).isEqualTo(WORKERS * ROWS);
      for (int column = 0; column < LargeShareChild.COLUMNS; column++) {
        long sum = 0;
        for (long row = 0; row < table.rowCount(); row++) {
          sum += (Long) Objects.requireNonNull(table.get("c" + column, row));
        }
        assertThat(sum).isEqualTo(LargeShareChild.sum(WORKERS, ROWS, column));
      }
    }
  }
}
