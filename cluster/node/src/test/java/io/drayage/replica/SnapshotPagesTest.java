package io.drayage.replica;

import static io.drayage.internal.Texts.format;
import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnBuilder;
import io.drayage.cargo.ColumnSchema;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.TableSchema;
import io.drayage.codec.Compressors;
import io.drayage.codec.Serializers;
import io.drayage.database.KnownTransactions;
import io.drayage.database.LogPosition;
import io.drayage.objectstore.ObjectStore;
import io.drayage.objectstore.ObjectStores;
import io.drayage.objectstore.rate.ForwardingStore;
import io.drayage.receive.AllowedCodecs;
import io.drayage.snapshot.FullSnapshotWriter;
import io.drayage.snapshot.SnapshotCatalog;
import io.drayage.snapshot.SnapshotContents;
import io.drayage.snapshot.SnapshotEntry;
import io.drayage.snapshot.SnapshotKind;
import io.drayage.snapshot.SnapshotManifest;
import io.drayage.snapshot.StoreFiller;
import io.drayage.store.FullContents;
import io.drayage.store.MemoryStore;
import io.drayage.store.StoreSnapshot;
import io.drayage.store.Transaction;
import io.drayage.store.column.Bounds;
import io.drayage.store.column.StoredTable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pages and bounds of random tables, with random commits after the full snapshot. */
@Timeout(180)
class SnapshotPagesTest {
  private static final int PAGE = ColumnValues.DEFAULT_ROWS_PER_PAGE;
  private static final List<ColumnType> TYPES = List.of(ColumnType.values());
  private static final UUID DATABASE = new UUID(1, 1);

  @TempDir private Path folder;
  @AutoClose private ObjectStore objects;
  private SnapshotCatalog catalog;
  private final MemoryStore store = new MemoryStore();
  private LogPosition last = new LogPosition(DATABASE, 0, 0);

  private void writeFull(boolean bounded) throws Exception {
    StoreSnapshot snapshot = store.snapshot();
    SnapshotEntry unused =
        new FullSnapshotWriter(catalog, Serializers.ofName("columnar"), Compressors.ofName("none"))
            .write(
                FullContents.toCargo(snapshot, bounded),
                last,
                null,
                1,
                KnownTransactions.committed(Map.of()));
  }

  private void commit(Transaction transaction) throws Exception {
    ChangeCargo cargo = transaction.toCargo();
    long unused = store.commit(cargo);
    SnapshotContents contents =
        StoreFiller.store(objects, cargo, Serializers.ofName("raw"), Compressors.ofName("lz4"));
    SnapshotManifest entry =
        SnapshotManifest.entry(SnapshotKind.Commit.of(0, contents), last, 1, Instant.EPOCH);
    last = catalog.append(entry).position();
  }

  private static TableSchema schema() {
    List<ColumnSchema> columns = new ArrayList<>();
    TYPES.forEach(type -> columns.add(ColumnSchema.nullable(type.name(), type)));
    columns.add(ColumnSchema.of("filled", ColumnType.LONG));
    return new TableSchema("t", columns);
  }

  /** Returns a value near others of the same page, or sometimes any. */
  private static Object value(ColumnType type, long row, SplittableRandom random) {
    long near = random.nextInt(500) == 0 ? random.nextInt() : row / PAGE * 10 + random.nextInt(9);
    return switch (type) {
      case BOOLEAN -> (near & 1) == 0;
      case BYTE -> (byte) near;
      case SHORT -> (short) near;
      case INT -> (int) near;
      case LONG -> near << 20;
      case FLOAT -> random.nextInt(9_000) == 0 ? Float.NaN : (float) -near / 8;
      case DOUBLE -> random.nextInt(9_000) == 0 ? Double.NaN : near * 0.1;
      case STRING -> near + (random.nextInt(50) == 0 ? "ä😀".repeat(20) : "");
    };
  }

  private static ColumnValues values(
      ColumnSchema column, long firstRow, int rows, SplittableRandom random) {
    ColumnBuilder builder = new ColumnBuilder(column.type());
    for (int row = 0; row < rows; row++) {
      boolean isNull = column.nullable() && random.nextInt(20) == 0;
      builder.add(isNull ? null : value(column.type(), firstRow + row, random));
    }
    return builder.build();
  }

  private void insert(int rows, SplittableRandom random) throws Exception {
    Transaction transaction = Transaction.on(store.snapshot());
    long first = store.snapshot().table("t").rowCount();
    Map<String, ColumnValues> values = new HashMap<>();
    for (ColumnSchema column : schema().columns()) {
      values.put(column.name(), values(column, first, rows, random));
    }
    long unused = transaction.insertRows("t", values);
    commit(transaction);
  }

  private void change(SplittableRandom random) throws Exception {
    Transaction transaction = Transaction.on(store.snapshot());
    StoredTable table = store.snapshot().table("t");
    for (int i = 0; i < 30; i++) {
      long row = random.nextLong(table.rowCount());
      if (!transaction.isDeleted("t", row)) {
        ColumnSchema column = schema().columns().get(random.nextInt(TYPES.size() + 1));
        boolean isNull = column.nullable() && random.nextBoolean();
        transaction.update(
            "t", column.name(), row, isNull ? null : value(column.type(), row, random));
      }
    }
    long from = random.nextLong(table.rowCount());
    long end = Math.min(table.rowCount(), from + random.nextInt(2 * PAGE));
    for (long row = from; row < end; row++) {
      if (!transaction.isDeleted("t", row)) {
        transaction.delete("t", row);
      }
    }
    commit(transaction);
  }

  private void make(long seed, boolean bounded) throws Exception {
    objects = ObjectStores.open("fs:" + folder);
    catalog = new SnapshotCatalog(objects);
    SplittableRandom random = new SplittableRandom(seed);
    store.createTable(schema(), 0);
    writeFull(bounded);
    insert(4 * PAGE - random.nextInt(3) * 1_000, random);
    if (random.nextBoolean()) {
      change(random);
    }
    writeFull(bounded);
    for (int commits = random.nextInt(4); commits > 0; commits--) {
      if (random.nextBoolean()) {
        change(random);
      } else {
        insert(random.nextInt(1, PAGE), random);
      }
    }
  }

  private SnapshotColumns open(ObjectStore from) throws IOException {
    return SnapshotColumns.open(from, 2, AllowedCodecs.DATA_ONLY, OptionalLong.empty());
  }

  private static int compare(Object value, Bounds bounds, boolean isLow) {
    if (value instanceof String text) {
      String bound = isLow ? bounds.lowText() : bounds.highText();
      return (isLow ? bounds.lowIsCut() : bounds.highIsCut()) && text.startsWith(bound)
          ? 0
          : Arrays.compareUnsigned(
              text.getBytes(StandardCharsets.UTF_8), bound.getBytes(StandardCharsets.UTF_8));
    }
    long key =
        value instanceof Double || value instanceof Float
            ? Bounds.key(((Number) value).doubleValue())
            : value instanceof Boolean flag ? (flag ? 1 : 0) : ((Number) value).longValue();
    return Long.compare(key, isLow ? bounds.low() : bounds.high());
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void boundsHoldWhereNothingHasChanged(long seed) throws Exception {
    make(seed, true);
    StoredTable table = store.snapshot().table("t");
    try (SnapshotColumns source = open(objects)) {
      ChangedRows rows = source.rows("t");
      assertThat(rows.now().rowCount()).isEqualTo(table.rowCount());
      assertThat(rows.now().liveRowCount()).isEqualTo(table.liveRowCount());
      List<String> names = schema().columns().stream().map(ColumnSchema::name).toList();
      Map<String, @Nullable Bounds[]> bounds = source.bounds("t", names);
      assertThat(bounds).containsOnlyKeys(names);
      int checked = 0;
      for (String column : names) {
        for (int page = 0; page < rows.pageCount(); page++) {
          BitSet updated = rows.updated().getOrDefault(column, new BitSet());
          boolean isKnown = page < bounds.get(column).length && !updated.get(page);
          checked +=
              isKnown ? requireBounds(table, column, page, bounds.get(column)[page], rows) : 0;
        }
      }
      assertThat(checked).as("seed %s", seed).isGreaterThan(PAGE);
    }
  }

  private static int requireBounds(
      StoredTable table, String column, int page, @Nullable Bounds bounds, ChangedRows rows) {
    int live = 0;
    long end = Math.min((page + 1L) * PAGE, rows.full().rowCount());
    for (long row = (long) page * PAGE; row < end; row++) {
      if (!table.isDeleted(row)) {
        live++;
        Object value = table.get(column, row);
        boolean holds =
            bounds != null
                && (value == null
                    ? bounds.hasNull()
                    : bounds.hasValue()
                        && compare(value, bounds, true) >= 0
                        && compare(value, bounds, false) <= 0);
        if (!holds) {
          throw new AssertionError(
              format("row %d of %s has %s, the bounds are %s", row, column, value, bounds));
        }
      }
    }
    boolean isExtended = rows.now().rowCount() > end;
    assertThat(isExtended || live == rows.liveRows(page)).isTrue();
    return live;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void pagesHaveTheirValues(long seed) throws Exception {
    make(seed, true);
    SplittableRandom random = new SplittableRandom(seed);
    StoredTable table = store.snapshot().table("t");
    AtomicLong readBytes = new AtomicLong();
    ObjectStore counting =
        new ForwardingStore(objects) {
          @Override
          public void read(String key, long offset, ByteBuffer target) throws IOException {
            readBytes.addAndGet(key.contains("-rows-") ? target.remaining() : 0);
            super.read(key, offset, target);
          }
        };
    try (SnapshotColumns source = open(counting)) {
      int full = (int) (source.rows("t").full().rowCount() / PAGE);
      Set<String> columns = Set.of("LONG", "STRING", "filled");
      readBytes.set(0);
      StoredTable unused = source.table("t", columns);
      long whole = readBytes.getAndSet(0);
      for (int i = 0; i < 3; i++) {
        BitSet pages = new BitSet();
        pages.set(random.nextInt(full));
        StoredTable some = source.table("t", columns, pages);
        assertThat(readBytes.getAndSet(0)).as("seed %s", seed).isLessThan(whole);
        pages.set((int) (source.rows("t").full().rowCount() + PAGE - 1) / PAGE, 1 << 20);
        assertThat(some.rowCount()).isEqualTo(table.rowCount());
        for (String column : columns) {
          for (long row = 0; row < table.rowCount(); row += random.nextInt(1, 40)) {
            boolean differs =
                pages.get((int) (row / PAGE))
                    && !table.isDeleted(row)
                    && !Objects.equals(some.get(column, row), table.get(column, row));
            assertThat(differs).as("seed %s, row %s of %s", seed, row, column).isFalse();
            assertThat(some.isDeleted(row)).isEqualTo(table.isDeleted(row));
          }
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = 7)
  void aFullSnapshotOfAnEarlierVersionHasNoBounds(long seed) throws Exception {
    make(seed, false);
    try (SnapshotColumns source = open(objects)) {
      assertThat(source.bounds("t", List.of("LONG"))).isEmpty();
      assertThat(source.rows("t").now().liveRowCount())
          .isEqualTo(store.snapshot().table("t").liveRowCount());
    }
  }
}
