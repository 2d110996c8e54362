package io.drayage.transactor;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.CargoDigest;
import io.drayage.objectstore.ObjectStore;
import io.drayage.objectstore.ObjectStores;
import io.drayage.receive.AllowedCodecs;
import io.drayage.replica.Replica;
import io.drayage.replica.SnapshotColumns;
import io.drayage.replica.SnapshotReplay;
import io.drayage.snapshot.SnapshotCatalog;
import io.drayage.snapshot.recovery.SnapshotCopy;
import io.drayage.snapshot.recovery.SnapshotVerifier;
import io.drayage.store.StoreSnapshot;
import io.drayage.worker.Worker;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every later version must be able to read the store of this one. The test reads a frozen store,
 * with full snapshots and a log. If it is missing, it is written by
 *
 * <pre>mvn test -pl cluster/node -am -Dtest=GoldenStoreTest -Ddrayage.golden.write=true \
 *     -Dsurefire.failIfNoSpecifiedTests=false</pre>
 */
@Timeout(120)
class GoldenStoreTest {
  private static final Path GOLDEN = Path.of("src", "test", "resources", "golden", "store");
  private static final int COMMITS = 4;
  private static final int FULL_EVERY = 3;

  @TempDir private Path folder;

  @Test
  void isStillReadAndGoneOnWith() throws Exception {
    if (Boolean.getBoolean("drayage.golden.write") && !Files.exists(GOLDEN)) {
      write();
    }
    assertThat(GOLDEN).as("write it as the comment of this class says").exists();
    long digest;
    long timestamp;
    try (ObjectStore golden = ObjectStores.open("fs:" + GOLDEN);
        ObjectStore copy = ObjectStores.open("fs:" + folder)) {
      int wrong =
          new SnapshotVerifier(new SnapshotCatalog(golden))
              .verify(found -> assertThat(found.error()).as(found.key()).isNull());
      assertThat(wrong).isZero();
      StoreSnapshot read =
          Replica.read(golden, 1, 1 << 28, AllowedCodecs.DATA_ONLY, OptionalLong.empty());
      Workload.check(read);
      assertThat(Workload.committed(read, 1)).isEqualTo(COMMITS);
      timestamp = read.timestamp();
      digest = CargoDigest.of(read.liveRows());
      assertThat(digest).isEqualTo(-7_597_686_359_242_935_073L);
      try (SnapshotColumns columns =
          SnapshotColumns.open(golden, 1, AllowedCodecs.DATA_ONLY, OptionalLong.empty())) {
        assertThat(columns.timestamp()).isEqualTo(timestamp);
        assertThat(CargoDigest.of(columns.read((table, column) -> true))).isEqualTo(digest);
        assertThat(columns.bounds("left", List.of("number"))).as("it has none").isEmpty();
      }
      assertThat(
              new SnapshotReplay(golden, 1, AllowedCodecs.DATA_ONLY)
                  .run(
                      OptionalLong.empty(),
                      found -> assertThat(found.error()).as(found.key()).isNull())
                  .wrong())
          .isZero();
      SnapshotCopy.Result unused = new SnapshotCopy(golden, copy).run(Long.MAX_VALUE);
    }

    try (TestCluster cluster = new TestCluster(folder)) {
      TransactorNode unused = cluster.transactor("t1");
      Worker worker = cluster.worker("w1");
      // The log is closed to former primaries by an entry of the new one.
      assertThat(worker.awaitSnapshot(timestamp + 1, Duration.ofSeconds(60))).isTrue();
      assertThat(CargoDigest.of(worker.snapshot().liveRows())).isEqualTo(digest);
      worker.commit(Workload.next(worker.snapshot(), 1, COMMITS + 1));
      Workload.check(worker.snapshot());
    }
  }

  private static void write() throws Exception {
    try (TestCluster cluster = new TestCluster(GOLDEN)) {
      TransactorNode unused =
          cluster.transactor(
              TestCluster.options("t1", TestCluster.LIMITS, FULL_EVERY, TestCluster.PATIENCE));
      Worker worker = cluster.worker("w1");
      for (int number = 1; number <= COMMITS; number++) {
        worker.commit(Workload.next(worker.snapshot(), 1, number));
      }
    }
  }
}
