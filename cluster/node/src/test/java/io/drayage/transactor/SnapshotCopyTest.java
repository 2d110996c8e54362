package io.drayage.transactor;

import static io.drayage.snapshot.StoreFiller.assertIntact;
import static io.drayage.testing.Refusals.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.drayage.cargo.CargoDigest;
import io.drayage.database.ForeignDatabaseException;
import io.drayage.objectstore.FaultyStore;
import io.drayage.objectstore.MemoryObjects;
import io.drayage.objectstore.ObjectCorruptException;
import io.drayage.objectstore.ObjectStore;
import io.drayage.objectstore.ObjectStores;
import io.drayage.receive.AllowedCodecs;
import io.drayage.replica.Replica;
import io.drayage.snapshot.SnapshotCatalog;
import io.drayage.snapshot.SnapshotContents;
import io.drayage.snapshot.SnapshotEntry;
import io.drayage.snapshot.SnapshotException;
import io.drayage.snapshot.SnapshotManifest;
import io.drayage.snapshot.StoreFiller;
import io.drayage.snapshot.recovery.SnapshotCopy;
import io.drayage.store.StoreSnapshot;
import io.drayage.worker.Worker;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(180)
class SnapshotCopyTest {
  private static final int FULL_EVERY = 5;

  @TempDir private Path folder;

  @AutoClose private TestCluster cluster;
  @AutoClose private ObjectStore backup;
  private TransactorNode primary;

  @BeforeEach
  void start() throws IOException {
    cluster = new TestCluster(folder.resolve("store"));
    backup = ObjectStores.open("fs:" + folder.resolve("backup"));
    primary = cluster.transactor(options("t1"));
  }

  private static TransactorOptions options(String name) {
    return TestCluster.options(name, TestCluster.LIMITS, FULL_EVERY, TestCluster.PATIENCE);
  }

  private static void commit(Worker worker, int first, int last) {
    try {
      for (int number = first; number <= last; number++) {
        worker.commit(Workload.nextLarge(worker.snapshot(), 1, number));
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private SnapshotCopy.Result copy() throws IOException {
    return new SnapshotCopy(cluster.objects, backup).run(Long.MAX_VALUE);
  }

  private static StoreSnapshot read(ObjectStore store) throws IOException {
    return Replica.read(store, 1, 1 << 28, AllowedCodecs.DATA_ONLY, OptionalLong.empty());
  }

  @Test
  void isADatabaseWhileCommitsGoOn() throws Exception {
    Worker worker = cluster.worker("w1");
    CompletableFuture<Void> commits = CompletableFuture.runAsync(() -> commit(worker, 1, 60));
    long before = 0;
    while (!commits.isDone()) {
      SnapshotCopy.Result result = copy();
      StoreSnapshot copied = read(backup);
      Workload.check(copied);
      assertThat(copied.timestamp()).isEqualTo(result.timestamp()).isGreaterThanOrEqualTo(before);
      before = copied.timestamp();
      assertIntact(new SnapshotCatalog(backup));
    }
    commits.get();
    // The primary may still write a full snapshot, which the next copy would add.
    primary.close();

    assertThat(copy().timestamp()).isEqualTo(worker.snapshot().timestamp());
    assertThat(CargoDigest.of(read(backup).liveRows()))
        .isEqualTo(CargoDigest.of(worker.snapshot().liveRows()));
    assertIntact(new SnapshotCatalog(backup));
    assertThat(copy().objects()).isZero();
  }

  @Test
  void aClusterGoesOnFromTheCopy() throws Exception {
    commit(cluster.worker("w1"), 1, 12);
    copy();
    long digest = CargoDigest.of(read(cluster.objects).liveRows());

    try (TestCluster restored = new TestCluster(folder.resolve("backup"))) {
      TransactorNode node = restored.transactor(options("t9"));
      Worker worker = restored.worker("w9");
      // The restored log is closed to former primaries by a new entry.
      assertThat(worker.awaitSnapshot(14, Duration.ofSeconds(60))).isTrue();
      assertThat(node.isPrimary()).isTrue();
      assertThat(CargoDigest.of(worker.snapshot().liveRows())).isEqualTo(digest);
      commit(worker, 13, 14);
      Workload.check(worker.snapshot());
      assertThat(Workload.committed(worker.snapshot(), 1)).isEqualTo(14);
    }
    // It has its own history now.
    Worker other = cluster.worker("w2");
    commit(other, 13, 13);
    assertFails(
        this::copy, SnapshotException.class, "it is at snapshot 16, and this would end at 14");
    commit(other, 14, 17);
    assertFails(
        this::copy,
        ForeignDatabaseException.class,
        "holds another history of database",
        "its snapshot 16 has checksum");
  }

  /** Remains of an interrupted or failed copy do not count as data that was read back. */
  @Test
  void aRetryDoesNotAcceptDamagedData() throws Exception {
    Worker worker = cluster.worker("w1");
    commit(worker, 1, 2);
    long newest = worker.snapshot().timestamp();
    SnapshotEntry entry = new SnapshotCatalog(cluster.objects).entry(newest);
    String key = entry.manifest().cargoes().get(0).data().key();
    Path source = folder.resolve("store").resolve(key);
    byte[] intact = StoreFiller.flip(source);
    byte[] flipped = Files.readAllBytes(source);
    byte[] longer = Arrays.copyOf(intact, intact.length + 1);

    for (byte[] damaged : List.of(flipped, longer)) {
      Files.write(source, damaged);
      for (int attempt = 0; attempt < 2; attempt++) {
        assertThatExceptionOfType(ObjectCorruptException.class)
            .isThrownBy(this::copy)
            .withMessageStartingWith(cluster.objects.name() + ": " + key);
        assertThat(backup.list(key)).isEmpty();
        assertThat(read(backup).timestamp()).isEqualTo(newest - 1);
      }
      Files.write(source, intact);
      backup.put(key, ByteBuffer.wrap(damaged));
      assertThat(copy().timestamp()).isEqualTo(newest);
      assertIntact(new SnapshotCatalog(backup));
      backup.delete(entry.key());
      backup.delete(key);
    }
  }

  /** Nothing may prevent another attempt. */
  @Test
  void whatCannotBeRestoredWholeIsDeletedAgain() throws Exception {
    damageBackup();
    try (FaultyStore target = new FaultyStore(new MemoryObjects("memory:restored"))) {
      assertThatExceptionOfType(ObjectCorruptException.class)
          .isThrownBy(() -> SnapshotCopy.restoring(backup, target).run(Long.MAX_VALUE));
      assertThat(target.list("")).isEmpty();

      assertThat(SnapshotCopy.restoring(cluster.objects, target).run(12).timestamp()).isEqualTo(12);
      assertThat(read(target).timestamp()).isEqualTo(12);
      Workload.check(read(target));
    }
  }

  /** The copy ends as if it had been killed: it cannot delete, either. */
  @Test
  void aPartOfWhatIsRestoredIsNoDatabase() throws Exception {
    damageBackup();
    try (FaultyStore target = new FaultyStore(new MemoryObjects("memory:restored"));
        TestCluster restored = new TestCluster(target)) {
      target.afterDeletes(
          () -> {
            throw new IOException("connection refused");
          });
      assertThatExceptionOfType(IOException.class)
          .isThrownBy(() -> SnapshotCopy.restoring(backup, target).run(Long.MAX_VALUE));

      assertThat(new SnapshotCatalog(target).logObjects()).isNotEmpty();
      assertFails(() -> read(target), SnapshotException.class, "a restore that was killed");
      assertFails(
          () -> restored.worker("w9"), SnapshotException.class, "a restore that was killed");
      assertFails(
          () -> restored.transactor(options("t9")),
          SnapshotException.class,
          "no full snapshot: a restore that was killed");
      assertFails(
          () -> SnapshotCopy.restoring(backup, target).run(Long.MAX_VALUE),
          SnapshotException.class,
          "memory:restored",
          "a restore that was killed",
          "delete");
    }
  }

  /** Damages the last of its objects. */
  private void damageBackup() throws Exception {
    commit(cluster.worker("w1"), 1, 12);
    primary.close();
    SnapshotCopy.Result copied = copy();
    SnapshotManifest last = new SnapshotCatalog(backup).entry(copied.timestamp()).manifest();
    SnapshotContents contents = last.cargoes().get(0);
    assertThat(contents).isNotNull();
    Path data = folder.resolve("backup").resolve(contents.data().key());
    byte[] bytes = Files.readAllBytes(data);
    Files.write(data, Arrays.copyOf(bytes, bytes.length - 1));
  }

  @Test
  void refusesWhatIsNoDatabase() {
    assertThatExceptionOfType(SnapshotException.class)
        .isThrownBy(() -> new SnapshotCopy(backup, cluster.objects).run(Long.MAX_VALUE))
        .withMessageEndingWith("holds no database");
    assertFails(
        () -> new SnapshotCopy(cluster.objects, backup).run(-1),
        SnapshotException.class,
        "its oldest full snapshot is 0");
  }
}
