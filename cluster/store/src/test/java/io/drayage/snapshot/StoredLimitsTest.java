package io.drayage.snapshot;

import static io.drayage.internal.Texts.format;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.drayage.database.AppCommit;
import io.drayage.database.KnownTransactions;
import io.drayage.database.LogPosition;
import io.drayage.database.LoggedTransaction;
import io.drayage.frame.AppVersion;
import io.drayage.frame.Fault;
import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader.Pipeline;
import io.drayage.frame.TransactionRequest;
import io.drayage.objectstore.MemoryObjects;
import io.drayage.objectstore.ObjectDigest;
import io.drayage.objectstore.ObjectStore;
import io.drayage.objectstore.ObjectStores;
import io.drayage.snapshot.SnapshotKeys.FragmentPlace;
import io.drayage.snapshot.transaction.Fragment;
import io.drayage.snapshot.transaction.OpenTransaction;
import io.drayage.snapshot.transaction.TransactionRecords;
import io.drayage.store.MemoryStore;
import io.drayage.testing.ShipmentHeaders;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Checks that all that is written can be read back: texts that are too long are not written. */
@Timeout(120)
class StoredLimitsTest {
  private static final LogPosition LAST = new LogPosition(new UUID(3, 4), 41, 1);
  private static final UUID TRANSACTION = new UUID(7, 7);
  private static final int MANIFEST_BYTES = 16 << 20;
  private static final int RECORD_BYTES = 1 << 20;
  private static final int HISTORY_BYTES = 288 << 20;

  /** 600 bytes: the longest name of a worker. */
  private static final String LONG_NAME = "汉".repeat(200);

  @TempDir private Path folder;

  /** Writes one object. */
  private interface Writing {
    /**
     * @param pad makes the object longer by its length
     */
    void write(ObjectStore store, String pad) throws IOException;
  }

  private interface Reading {
    Object read(ObjectStore store) throws IOException;
  }

  private static void assertLimit(String key, int limit, Writing writing, Reading reading)
      throws IOException {
    ObjectStore shortest = new MemoryObjects("shortest");
    writing.write(shortest, "");
    String pad = "x".repeat(limit - (int) shortest.size(key));

    ObjectStore longest = new MemoryObjects("longest");
    writing.write(longest, pad);
    assertThat(longest.size(key)).isEqualTo(limit);
    assertThat(reading.read(longest)).isNotNull();

    ObjectStore beyond = new MemoryObjects("beyond");
    assertRefused(
        () -> writing.write(beyond, pad + "x"),
        format("%s: %,d bytes exceed the %,d of ", key, limit + 1, limit));
    assertThat(beyond.list("")).isEmpty();
  }

  private static void assertRefused(ThrowingCallable step, String message) {
    assertThatExceptionOfType(ShipmentException.class)
        .isThrownBy(step)
        .withMessageContaining(message)
        .satisfies(e -> assertThat(e.fault()).isEqualTo(Fault.REJECTED))
        .satisfies(e -> assertThat(e.outcome()).isEqualTo(ShipmentException.Outcome.NOT_APPLIED));
  }

  private static SnapshotContents cargo(String pad) {
    return cargo(new UUID(1, 2), "w", pad);
  }

  private static SnapshotContents cargo(UUID id, String worker, String pad) {
    return new SnapshotContents(
        new StoredBytes("data/" + TRANSACTION + "-" + id + pad, new ObjectDigest(9, 1)),
        ShipmentHeaders.of(id, 1L << 40, Pipeline.SEGMENTS, 100, 100, worker),
        new Seal(1L << 40, -1));
  }

  private static SnapshotManifest commit(List<SnapshotContents> cargoes) {
    return SnapshotManifest.entry(
        new SnapshotKind.Commit(
            new LoggedTransaction(TRANSACTION, 40, "driver", null),
            5,
            List.of(),
            List.of(),
            cargoes),
        LAST,
        3,
        Instant.EPOCH);
  }

  @Test
  void anEntryOfTheLog() throws Exception {
    assertLimit(
        "snapshots/00000000000000000042.commit",
        MANIFEST_BYTES,
        (store, pad) -> new SnapshotCatalog(store).append(commit(List.of(cargo(pad)))),
        store -> new SnapshotCatalog(store).entry(42));
  }

  @Test
  void aFullSnapshot() throws Exception {
    int blocks = 100_000;
    ObjectDigest digest =
        new ObjectDigest(
            (long) blocks * ObjectDigest.BLOCK_BYTES, IntStream.range(0, blocks).toArray());
    StoredBytes history = new StoredBytes("data/history", new ObjectDigest(0));
    assertLimit(
        "snapshots/00000000000000000041.full",
        MANIFEST_BYTES,
        (store, pad) ->
            new SnapshotCatalog(store)
                .append(
                    SnapshotManifest.full(
                        new SnapshotKind.Full(
                            null,
                            new SnapshotContents(
                                new StoredBytes("data/rows" + pad, digest),
                                cargo("").header(),
                                cargo("").seal()),
                            history),
                        LAST,
                        3,
                        Instant.EPOCH)),
        store -> new SnapshotCatalog(store).full(41));
  }

  @Test
  void theRecordOfATransaction() throws Exception {
    assertLimit(
        SnapshotKeys.open(TRANSACTION),
        RECORD_BYTES,
        (store, pad) ->
            new TransactionRecords(store)
                .open(new OpenTransaction(TRANSACTION, 1, 2, "o" + pad, Duration.ofSeconds(1))),
        store -> new TransactionRecords(store).find(TRANSACTION));
  }

  @Test
  void theRecordOfAFragment() throws Exception {
    FragmentPlace place = new FragmentPlace(TRANSACTION, new UUID(1, 2));
    assertLimit(
        place.key(),
        RECORD_BYTES,
        (store, pad) -> new TransactionRecords(store).add(new Fragment(TRANSACTION, cargo(pad), 1)),
        store -> new TransactionRecords(store).find(place));
  }

  /** The limit of fragments of one transaction, with the longest names. */
  @Test
  @Tag("ci")
  void theMostFragmentsOfWorkersWithLongNamesFitAnEntry() throws Exception {
    List<SnapshotContents> cargoes = new ArrayList<>();
    for (int i = 0; i < TransactionRequest.MAX_FRAGMENTS; i++) {
      String name = LONG_NAME.substring(1) + (char) ('a' + i % 3);
      cargoes.add(cargo(new UUID(-1, i), name, ""));
    }
    SnapshotCatalog catalog = new SnapshotCatalog(new MemoryObjects("longest"));

    SnapshotCatalog.requireRoom(commit(cargoes).transaction(), List.of(), List.of(), cargoes);
    SnapshotEntry unused = catalog.append(commit(cargoes));

    List<SnapshotContents> read = catalog.entry(42).manifest().cargoes();
    assertThat(read).hasSize(cargoes.size());
    for (int i = 0; i < read.size(); i++) {
      assertThat(read.get(i).header()).isEqualTo(cargoes.get(i).header());
      assertThat(read.get(i).data()).isEqualTo(cargoes.get(i).data());
    }
  }

  /** This happens before the place of the entry is known. */
  @Test
  void whatNoEntryWouldHoldIsKnownBeforehand() throws Exception {
    LoggedTransaction transaction = commit(List.of()).transaction();
    String pad = "x".repeat(MANIFEST_BYTES - (int) appendLongest(transaction, ""));

    assertThat(appendLongest(transaction, pad)).isEqualTo(MANIFEST_BYTES);
    SnapshotCatalog.requireRoom(transaction, List.of(), List.of(), List.of(cargo(pad)));
    assertRefused(
        () ->
            SnapshotCatalog.requireRoom(
                transaction, List.of(), List.of(), List.of(cargo(pad + "x"))),
        "the entry of transaction "
            + TRANSACTION
            + ": 16,777,217 bytes exceed the 16,777,216 of a manifest");
  }

  /** Appends a commit that is as long as its place in the log can make it. Returns its length. */
  private static long appendLongest(LoggedTransaction transaction, String pad) throws IOException {
    ObjectStore store = new MemoryObjects("longest");
    SnapshotManifest longest =
        SnapshotManifest.entry(
            new SnapshotKind.Commit(transaction, -1, List.of(), List.of(), List.of(cargo(pad))),
            new LogPosition(new UUID(-1, -1), Long.MAX_VALUE - 1, -1),
            Long.MAX_VALUE,
            Instant.parse("2026-11-21T10:15:30.123456789Z"));
    return store.size(new SnapshotCatalog(store).append(longest).key());
  }

  /** The limits of a database, with applications and owners of the longest names. */
  @Tag("nightly")
  @Test
  void theHistoryOfAFullSnapshot() throws Exception {
    AppCommit longest = new AppCommit(AppVersion.of("a".repeat(200), 1, "t"), LONG_NAME, 1);
    Map<UUID, Long> ends = new HashMap<>();
    for (int i = 0; i < MemoryStore.TRANSACTION_WINDOW; i++) {
      ends.put(new UUID(1, i), -1L - i);
    }
    int window = MemoryStore.TRANSACTION_WINDOW + (1 << 16);
    try (ObjectStore store = ObjectStores.open("fs:" + folder)) {
      KnownTransactions all = new KnownTransactions(ends, Collections.nCopies(window, longest));
      StoredBytes written = CommitHistory.write(store, "data/all", all);
      assertThat(CommitHistory.read(store, written).apps()).hasSize(window);
      store.delete("data/all");

      int count = (HISTORY_BYTES - 8) / 823 - 1;
      int rest = HISTORY_BYTES - 8 - count * 823;
      written = CommitHistory.write(store, "data/longest", history(longest, count, rest));
      assertThat(written.digest().bytes()).isEqualTo(HISTORY_BYTES);
      assertThat(CommitHistory.read(store, written).apps()).hasSize(count + 1);
      assertRefused(
          () -> CommitHistory.write(store, "data/beyond", history(longest, count, rest + 1)),
          "data/beyond: 301,989,889 bytes exceed the 301,989,888 of a history");
      assertRefused(
          () -> CommitHistory.write(store, "data/owner", history(longest, 0, 4_097)),
          "data/owner: 4,097 bytes exceed the 4,096 of an application");
      assertThat(store.list("data/")).hasSize(1);
    }
  }

  /** Returns a history of {@code count} commits, and one more of {@code lastBytes}. */
  private static KnownTransactions history(AppCommit each, int count, int lastBytes) {
    List<AppCommit> apps = new ArrayList<>(Collections.nCopies(count, each));
    apps.add(new AppCommit(AppVersion.of("a", 1, "t"), "o".repeat(lastBytes - 24), 1));
    return new KnownTransactions(Map.of(), apps);
  }
}
