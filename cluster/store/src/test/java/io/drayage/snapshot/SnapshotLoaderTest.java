package io.drayage.snapshot;

import static io.drayage.internal.Texts.format;
import static io.drayage.testing.Refusals.assertFails;
import static io.drayage.testing.Refusals.assertFault;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.CargoSize;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.RandomCargo;
import io.drayage.codec.CodecPair;
import io.drayage.database.KnownTransactions;
import io.drayage.database.LogPosition;
import io.drayage.frame.Fault;
import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentHeader.Pipeline;
import io.drayage.objectstore.FolderStore;
import io.drayage.objectstore.ObjectCorruptException;
import io.drayage.objectstore.ObjectDigest;
import io.drayage.objectstore.ObjectMissingException;
import io.drayage.objectstore.ObjectStore;
import io.drayage.objectstore.rate.ForwardingStore;
import io.drayage.receive.AllowedCodecs;
import io.drayage.receive.ReceiverLimits;
import io.drayage.testing.ShipmentHeaders;
import io.drayage.testing.Waiting;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(180)
final class SnapshotLoaderTest {
  private static final CodecPair RAW = CodecPair.of("raw", "none");

  @TempDir private Path folder;
  private ObjectStore store;
  private SnapshotLoader loader;

  @BeforeEach
  void open() throws Exception {
    store = FolderStore.open(folder);
    loader = new SnapshotLoader(store, 2, 1L << 30, ReceiverLimits.DATA_ONLY);
  }

  @AfterEach
  void close() {
    loader.close();
    store.close();
  }

  private SnapshotContents store(ChangeCargo cargo, CodecPair pair) throws Exception {
    return StoreFiller.store(store, cargo, pair.serializer(), pair.compressor());
  }

  @Test
  void loadsCargoesOfManyBlocks() throws Exception {
    ChangeCargo cargo = RandomCargo.of(1, 300_000);
    SnapshotContents contents = store(cargo, RAW);
    assertThat(contents.data().digest().blockCount()).isGreaterThan(4);
    assertThat(CargoDigest.of(loader.load(contents))).isEqualTo(CargoDigest.of(cargo));
  }

  @Test
  void loadsSideBySide() throws Exception {
    List<Waiting.Running<Long>> loads = new ArrayList<>();
    List<Long> expected = new ArrayList<>();
    for (int seed = 0; seed < 4; seed++) {
      ChangeCargo cargo = RandomCargo.of(seed, 50_000);
      SnapshotContents contents = store(cargo, CodecPair.of("raw", "lz4"));
      expected.add(CargoDigest.of(cargo));
      loads.add(Waiting.start(() -> CargoDigest.of(loader.load(contents))));
    }
    for (int seed = 0; seed < 4; seed++) {
      assertThat(loads.get(seed).get()).isEqualTo(expected.get(seed));
    }
  }

  @Test
  void namesAByteThatIsWrong() throws Exception {
    SnapshotContents contents = store(RandomCargo.of(2, 1000), RAW);
    StoreFiller.flip(folder.resolve(contents.data().key()));
    assertFails(() -> loader.load(contents), ObjectCorruptException.class, contents.data().key());
  }

  /** A digest of the object cannot find this, because the object was stored with it. */
  @Test
  void namesWhatTheFramesThemselvesSay() throws Exception {
    SnapshotContents contents = store(RandomCargo.of(3, 1000), RAW);
    byte[] bytes = Files.readAllBytes(folder.resolve(contents.data().key()));
    byte[] flipped = bytes.clone();
    flipped[bytes.length / 2] ^= 1;

    assertCorrupt(contents, flipped, "checksum");
    assertCorrupt(contents, Arrays.copyOf(bytes, bytes.length - 1), "ends without a seal");
    assertCorrupt(contents, Arrays.copyOf(bytes, bytes.length - 40), "ends without a seal");
    assertCorrupt(contents, Arrays.copyOf(bytes, bytes.length + 24), "magic");
    assertCorrupt(contents, new byte[0], "ends without a seal");
  }

  private void assertCorrupt(SnapshotContents contents, byte[] bytes, String message)
      throws Exception {
    StoredBytes other =
        StoreFiller.put(store, SnapshotKeys.data(contents.header().transactionId()), bytes);
    SnapshotContents changed = new SnapshotContents(other, contents.header(), contents.seal());
    assertFails(() -> loader.load(changed), ObjectCorruptException.class, other.key(), message);
  }

  @Test
  void comparesTheSealOfTheManifest() throws Exception {
    SnapshotContents contents = store(RandomCargo.of(4, 1000), RAW);
    Seal other = new Seal(contents.seal().frameCount(), contents.seal().digest() + 1);
    assertFails(
        () -> loader.load(new SnapshotContents(contents.data(), contents.header(), other)),
        ObjectCorruptException.class,
        "the seal states digest");
  }

  @Test
  void namesTheHeapWhereACargoIsMoreThanItMayTake() throws Exception {
    SnapshotContents contents = store(RandomCargo.of(5, 10_000), RAW);
    long heapBytes = Runtime.getRuntime().maxMemory();
    try (SnapshotLoader small = new SnapshotLoader(store, 1, 1000, ReceiverLimits.DATA_ONLY)) {
      assertFault(Fault.LIMIT, () -> small.load(contents))
          .hasMessageStartingWith(
              format(
                  "%s does not fit into the heap of this node, %,d bytes: a cargo of ",
                  contents.data().key(), heapBytes))
          .hasMessageEndingWith(
              " exceeds the limit of 1,000; give it more by -Xmx (DRAYAGE_JAVA_OPTS)");
    }
  }

  @Test
  void refusesASerializerThatIsNotAllowed() throws Exception {
    AllowedCodecs onlyRaw = AllowedCodecs.DATA_ONLY.refusing("columnar").refusing("msgpack");
    SnapshotContents contents = store(RandomCargo.of(6, 100), CodecPair.of("columnar", "none"));
    try (SnapshotLoader strict = new SnapshotLoader(store, 1, 1 << 30, onlyRaw)) {
      assertFails(
          () -> strict.load(contents),
          SnapshotException.class,
          contents.data().key(),
          "serializer 'columnar' is not allowed here, only [raw]");
    }
  }

  @Test
  void namesDataThatIsMissing() {
    StoredBytes absent = new StoredBytes("data/absent", new ObjectDigest(1, 0));
    SnapshotContents contents =
        new SnapshotContents(
            absent,
            ShipmentHeaders.of(new UUID(1, 1), 0, Pipeline.SEGMENTS, 2, 1, "test"),
            new Seal(1, 1));
    assertThatThrownBy(() -> loader.load(contents)).isInstanceOf(ObjectMissingException.class);
  }

  private SnapshotContents full(ChangeCargo rows, CodecPair pair) throws Exception {
    return new FullSnapshotWriter(new SnapshotCatalog(store), pair.serializer(), pair.compressor())
        .write(rows, new LogPosition(new UUID(1, 1), 7, 0), null, 1, KnownTransactions.NONE)
        .manifest()
        .full()
        .rows();
  }

  @Test
  void loadsAnyColumnsOfAFullSnapshot() throws Exception {
    SplittableRandom random = new SplittableRandom(7);
    ChangeCargo rows = RandomCargo.of(7, 150_000);
    SnapshotContents contents = full(rows, CodecPair.of("raw", "none"));
    assertThat(contents.data().digest().blockCount()).isGreaterThan(3);
    for (int i = 0; i < 4; i++) {
      long seed = random.nextLong();
      SnapshotSelection selection =
          new SnapshotSelection(
              (table, column) ->
                  new SplittableRandom(seed ^ (table + "." + column).hashCode()).nextInt(4) == 0);
      assertThat(CargoDigest.of(loader.loadFull(contents, selection)))
          .as("seed %s", seed)
          .isEqualTo(CargoDigest.of(selection.of(rows)));
    }
  }

  @Test
  void readsTheBlocksThatHaveTheColumns() throws Exception {
    ChangeCargo.Builder rows = ChangeCargo.builder(new UUID(1, 1), 0);
    long[] values = LongStream.range(0, 1_200_000).toArray();
    rows.table(
        "t",
        changes -> {
          for (String column : List.of("a", "b", "c", "d")) {
            changes.insert(column, ColumnValues.of(new long[][] {values}));
          }
        });
    SnapshotContents contents = full(rows.build(), RAW);
    assertThat(contents.data().digest().blockCount()).isEqualTo(5);
    Set<Long> read = ConcurrentHashMap.newKeySet();
    try (SnapshotLoader counting =
        loader((key, offset) -> read.add(offset / ObjectDigest.BLOCK_BYTES), 1L << 30)) {
      for (Map.Entry<String, Set<Long>> blocks :
          Map.of("a", Set.of(0L, 1L), "b", Set.of(0L, 1L, 2L), "d", Set.of(0L, 3L, 4L))
              .entrySet()) {
        read.clear();
        ChangeCargo column =
            counting.loadFull(
                contents, new SnapshotSelection((table, name) -> name.equals(blocks.getKey())));
        assertThat(column.tables().get(0).insertedRowCount()).isEqualTo(values.length);
        assertThat(read).as(blocks.getKey()).isEqualTo(blocks.getValue());
      }
    }
  }

  @Test
  void readsTheFramesOfFewSegments() throws Exception {
    long[] values = LongStream.range(0, 1_200_000).toArray();
    ChangeCargo.Builder rows = ChangeCargo.builder(new UUID(1, 1), 0);
    rows.table(
        "t",
        changes ->
            changes
                .insert("a", ColumnValues.of(new long[][] {values}))
                .insert("b", ColumnValues.of(new long[][] {values})));
    SnapshotContents contents = full(rows.build(), RAW);
    SnapshotSelection selection =
        new SnapshotSelection(
            (table, column) -> column.equals("b"),
            segment -> segment.firstRow() <= 700_000 && 700_000 < segment.firstRow() + 131_072);
    Path data = folder.resolve(contents.data().key());
    List<Long> read = new CopyOnWriteArrayList<>();
    try (SnapshotLoader counting = loader((key, offset) -> read.add(offset), 1L << 30)) {
      ColumnValues some =
          counting.loadFull(contents, selection).tables().get(0).insertedColumns().get(0).values();

      assertThat(read).as("the manifest, and a piece").hasSize(2);
      assertThat(some.rowCount()).isEqualTo(values.length);
      assertThat(some.get(700_000)).isEqualTo(700_000L);
      assertThat(some.page(0)).as("a page that is not needed").isNull();

      byte[] sound = Files.readAllBytes(data);
      flip(data, sound, 1_000_000);
      assertThat(counting.loadFull(contents, selection).tables()).hasSize(1);
      flip(data, sound, read.get(1) + 1_000);
      assertFails(
          () -> counting.loadFull(contents, selection),
          ObjectCorruptException.class,
          contents.data().key(),
          "bytes ",
          "checksum");
    }
  }

  private static void flip(Path file, byte[] sound, long at) throws IOException {
    byte[] flipped = sound.clone();
    flipped[(int) at] ^= 4;
    Files.write(file, flipped);
  }

  @Test
  void readsTheBeginningOfACommitThatHasNothingOfAColumn() throws Exception {
    SnapshotContents contents = store(RandomCargo.of(1, 300_000), RAW);
    List<Long> read = new CopyOnWriteArrayList<>();
    try (SnapshotLoader counting = loader((key, offset) -> read.add(offset), 1L << 30)) {
      counting.loadInOrder(
          List.of(entry(1, contents)),
          new SnapshotSelection((table, column) -> table.equals("absent")),
          (entry, cargoes) -> assertThat(cargoes.next().tables()).isEmpty());
    }
    assertThat(read).containsExactly(0L);
  }

  /** While a large cargo is consumed, the next one is not being loaded. */
  @Test
  void holdsOneLargeCargoAtATime() throws Exception {
    ChangeCargo large = RandomCargo.of(1, 50_000);
    ChangeCargo small = RandomCargo.of(2, 10);
    List<SnapshotEntry> entries = new ArrayList<>();
    for (ChangeCargo cargo : List.of(small, large, small, small)) {
      entries.add(entry(entries.size() + 1, store(cargo, RAW)));
    }
    SnapshotContents other = store(large, RAW);
    Set<String> read = ConcurrentHashMap.newKeySet();
    try (SnapshotLoader loading =
        loader((key, offset) -> read.add(key), CargoSize.rawBytes(large) * 3)) {
      List<Long> used = new ArrayList<>();
      loading.loadInOrder(
          entries,
          (entry, cargoes) -> {
            assertThat(cargoes.next()).isNotNull();
            used.add(entry.manifest().timestamp());
            if (used.size() == 2) {
              // This is long enough for the next load, if it had begun.
              assertThat(loading.load(other)).isNotNull();
              assertThat(read).as("read while the large one is consumed").hasSize(3);
            } else if (used.size() < entries.size()) {
              // The next cargo is read while a small one is consumed.
              Waiting.await(() -> read.size() > used.size() + (used.size() > 2 ? 1 : 0));
            }
          });
      assertThat(used).containsExactly(1L, 2L, 3L, 4L);
    }
  }

  /** Returns a loader that tells what it reads. */
  private SnapshotLoader loader(BiConsumer<String, Long> whenRead, long maxBytes) {
    ForwardingStore watched =
        new ForwardingStore(store) {
          @Override
          public void read(String key, long offset, ByteBuffer target) throws IOException {
            whenRead.accept(key, offset);
            super.read(key, offset, target);
          }
        };
    return new SnapshotLoader(watched, 2, maxBytes, ReceiverLimits.DATA_ONLY);
  }

  private static SnapshotEntry entry(long timestamp, SnapshotContents contents) {
    LogPosition last = new LogPosition(new UUID(1, 1), timestamp - 1, 0);
    return new SnapshotEntry(
        SnapshotManifest.entry(SnapshotKind.Commit.of(0, contents), last, 1, Instant.EPOCH), 0);
  }
}
