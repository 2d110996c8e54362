package io.drayage.transactor;

import static io.drayage.testing.Refusals.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.drayage.coordination.InMemoryCluster;
import io.drayage.coordination.InMemoryCoordination;
import io.drayage.objectstore.ObjectStores;
import io.drayage.objectstore.WriteFailure;
import io.drayage.snapshot.StoreFiller;
import io.drayage.store.Transaction;
import io.drayage.testing.Waiting;
import io.drayage.worker.CommitReport;
import io.drayage.worker.Worker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A folder whose files were damaged, and a folder on a full disk. */
@Timeout(180)
class DamagedStoreTest {
  @TempDir private Path folder;

  /** Makes a database of a few commits without running nodes. */
  private InMemoryCluster makeDatabase() throws Exception {
    try (TestCluster cluster = new TestCluster(folder)) {
      cluster.transactor("t1");
      Worker worker = cluster.worker("w1");
      for (int number = 1; number <= 3; number++) {
        worker.commit(Workload.nextLarge(worker.snapshot(), 1, number));
      }
      return cluster.cluster;
    }
  }

  private Path find(String part) throws IOException {
    try (Stream<Path> files = Files.list(folder.resolve("data"))) {
      return files.filter(file -> file.toString().contains(part)).findFirst().orElseThrow();
    }
  }

  private Path dataOfACommit() throws IOException {
    try (Stream<Path> files = Files.list(folder.resolve("data"))) {
      return files
          .filter(file -> !file.toString().contains("-rows-"))
          .filter(file -> !file.toString().contains("-history-"))
          .findFirst()
          .orElseThrow();
    }
  }

  @Test
  void nobodyStartsOnADamagedFullSnapshot() throws Exception {
    InMemoryCluster published = makeDatabase();
    Path rows = find("-rows-");
    StoreFiller.flip(rows);
    try (TestCluster cluster =
        new TestCluster(
            ObjectStores.open("fs:" + folder), () -> new InMemoryCoordination(published))) {
      assertFails(
          () -> cluster.transactor("t1"),
          IOException.class,
          rows.getFileName().toString(),
          "corrupt");
      assertFails(() -> cluster.worker("w1"), IOException.class, rows.getFileName().toString());
    }
  }

  @Test
  void nobodyServesADamagedCommitUntilItIsMended() throws Exception {
    InMemoryCluster unused = makeDatabase();
    Path data = dataOfACommit();
    byte[] whole = StoreFiller.flip(data);
    try (TestCluster cluster = new TestCluster(folder)) {
      TransactorNode node = cluster.transactor("t1");
      while (node.takeoverFailure() == null) {
        TimeUnit.MILLISECONDS.sleep(1);
      }
      assertThat(node.takeoverFailure())
          .hasMessageContaining(data.getFileName().toString())
          .hasMessageContaining("corrupt");
      assertThat(node.isPrimary()).isFalse();

      Files.write(data, whole);
      Worker worker = cluster.worker("w1");
      worker.commit(Workload.nextLarge(worker.snapshot(), 2, 1));

      assertThat(node.takeoverFailure()).isNull();
      assertThat(Workload.committed(worker.snapshot(), 1)).isEqualTo(3);
      Workload.check(worker.snapshot());
    }
  }

  /** Uses a real full disk: a file system in memory, which only root can make. */
  @Test
  void aFullDiskCostsTimeAndNothingElse() throws Exception {
    assumeTrue(
        run("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", folder.toString()) == 0,
        "skipped: a small file system can only be mounted by root");
    try {
      fillAndCommit();
    } finally {
      run("umount", "--lazy", folder.toString());
    }
  }

  private void fillAndCommit() throws Exception {
    History history = new History();
    try (TestCluster cluster = new TestCluster(ObjectStores.open("fs:" + folder))) {
      TransactorNode node = cluster.transactor("t1");
      Worker worker = cluster.worker("w1");
      history.commit(worker, 1, 1);
      Path filler = folder.resolve("filler");
      assertThatExceptionOfType(IOException.class)
          .isThrownBy(() -> Files.write(filler, new byte[2 << 20]));

      Transaction unlucky = Workload.nextLarge(worker.snapshot(), 1, 2);
      Waiting.Running<CommitReport> committing = Waiting.start(() -> worker.commit(unlucky));
      Waiting.await(() -> node.storeFailure() != null);
      assertThat(node.failedWrites(WriteFailure.FULL)).isPositive();
      Files.delete(filler);
      history.acknowledged(1, unlucky.id(), committing.get().timestamp());
      history.commit(worker, 1, 3);

      Workload.check(worker.snapshot());
      history.check(cluster.objects);
    }
  }

  private static int run(String... command) throws IOException, InterruptedException {
    try {
      return new ProcessBuilder(List.of(command)).start().waitFor();
    } catch (IOException e) {
      return -1;
    }
  }
}
