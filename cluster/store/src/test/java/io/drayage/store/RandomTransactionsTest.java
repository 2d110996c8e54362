package io.drayage.store;

import static io.drayage.internal.Texts.format;
import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.AppliedDigest;
import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnSchema;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.TableSchema;
import io.drayage.frame.Fault;
import io.drayage.frame.OnConflict;
import io.drayage.frame.ShipmentException;
import io.drayage.store.column.StoredTable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ForkJoinPool;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Compares hundreds of random transactions, on snapshots of different age and with restarts between
 * them, with a naive model: their reads, their conflicts, and the final contents. A second store
 * replays all commits.
 */
class RandomTransactionsTest {
  private static final int TRANSACTIONS = 400;
  private static final int FIRST_ROWS = 12;
  private static final int OLDEST = 5;

  private record UpdatedCell(int column, int row) {}

  /** A version, and its changes since the version before. */
  private record Version(
      StoreSnapshot snapshot,
      StoreSnapshot replica,
      TableModel model,
      Set<UpdatedCell> updated,
      Set<Integer> deleted) {}

  private final TableSchema schema = schema();
  private final List<Version> versions = new ArrayList<>();
  private final List<Version> abandoned = new ArrayList<>();
  private MemoryStore store = new MemoryStore(0, ForkJoinPool.commonPool(), 3);
  private MemoryStore replica = new MemoryStore(0, ForkJoinPool.commonPool(), 2);
  private long oldestBase;

  private static TableSchema schema() {
    List<ColumnSchema> columns = new ArrayList<>();
    for (ColumnType type : ColumnType.values()) {
      columns.add(ColumnSchema.nullable(type + " nullable", type));
    }
    columns.add(ColumnSchema.of("filled", ColumnType.LONG));
    return new TableSchema("t", columns);
  }

  @Test
  void agreeWithAModel() throws Exception {
    agreeWithAModel(1);
  }

  @ParameterizedTest
  @ValueSource(longs = {2, 3, 4, 5, 6})
  @Tag("ci")
  void agreeWithAModel(long seed) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    store.createTable(schema, FIRST_ROWS);
    replica.createTable(schema, FIRST_ROWS);
    versions.add(
        new Version(
            store.snapshot(),
            replica.snapshot(),
            new TableModel(schema, FIRST_ROWS),
            Set.of(),
            Set.of()));
    int conflicts = 0;
    for (int i = 0; i < TRANSACTIONS; i++) {
      String description = format("seed %d, transaction %d", seed, i);
      if (random.nextInt(60) == 0) {
        restart();
      } else if (random.nextInt(25) == 0) {
        goBack(random);
      }
      conflicts += transact(i, random, description) ? 0 : 1;
    }
    assertThat(conflicts).as("seed %d", seed).isBetween(TRANSACTIONS / 50, TRANSACTIONS / 2);
    newest().model.assertSame(replica.snapshot().table("t"), format("seed %d, replica", seed));
    assertThat(replica.known()).isEqualTo(store.known());
    abandoned.addAll(versions);
    for (Version version : abandoned) {
      StoredTable table = version.snapshot.table("t");
      version.model.assertSame(table, format("seed %d, at the end", seed));
      version.model.assertSameLiveRows(table, format("seed %d, at the end", seed));
    }
  }

  private Version newest() {
    return versions.get(versions.size() - 1);
  }

  /** Restarts from the contents of the disk: the new store does not know who changed what. */
  private void restart() throws Exception {
    StoreSnapshot before = store.snapshot();
    StoreSnapshot loaded =
        FullContents.toSnapshot(before.timestamp(), FullContents.toCargo(before));
    store = new MemoryStore(loaded, store.known(), ForkJoinPool.commonPool(), 3, 1 << 20);
    oldestBase = before.timestamp();
  }

  /** Undoes commits that could not be stored, but none from before the load of the store. */
  private void goBack(SplittableRandom random) {
    int kept = Math.max(1, versions.size() - random.nextInt(10));
    while (kept < versions.size() && versions.get(kept - 1).snapshot.timestamp() <= oldestBase) {
      kept++;
    }
    List<Version> undone = versions.subList(kept, versions.size());
    if (undone.isEmpty()) {
      return;
    }
    abandoned.addAll(undone);
    undone.clear();
    store.reset(newest().snapshot);
    replica.reset(newest().replica);
  }

  /** Makes a transaction. Returns whether it had an effect. */
  private boolean transact(int id, SplittableRandom random, String description) throws Exception {
    Version base =
        versions.get(versions.size() - 1 - random.nextInt(Math.min(OLDEST, versions.size())));
    Changes changes = new Changes(base, new UUID(1, id), random, description);
    changes.make();
    ChangeCargo cargo = changes.transaction.toCargo();
    OnConflict onConflict = random.nextInt(4) == 0 ? OnConflict.OVERWRITE : OnConflict.REJECT;
    StoreSnapshot before = store.snapshot();
    boolean tooOld = base.snapshot.timestamp() < oldestBase;
    boolean conflict = onConflict == OnConflict.REJECT && changes.conflict();
    try {
      long timestamp = store.commit(cargo, onConflict);

      assertThat(tooOld || conflict).as("%s was to be refused", description).isFalse();
      assertThat(timestamp).as(description).isEqualTo(before.timestamp() + 1);
      assertThat(store.commit(cargo)).as(description).isEqualTo(timestamp);
    } catch (ShipmentException e) {
      assertThat(e.fault()).as("%s: %s", description, e).isEqualTo(Fault.CONFLICT);
      assertThat(tooOld || conflict).as("%s: %s", description, e).isTrue();
      assertThat(store.snapshot()).as(description).isSameAs(before);
      return false;
    }
    // The digest is the same on every node, whatever it was loaded from.
    long applied = store.lastApplied().appliedDigest(cargo);
    assertThat(applied).as(description).isEqualTo(AppliedDigest.of(cargo));
    Replays.replay(replica, cargo, store.snapshot().timestamp(), applied);
    Version next = changes.onTopOf(newest());
    next.model.assertSame(store.snapshot().table("t"), description);
    assertThat(store.lastApplied().digest()).as(description).isEqualTo(CargoDigest.of(cargo));
    versions.add(next);
    return true;
  }

  /** One transaction, made in the store and in the model. */
  private final class Changes {
    private final Version base;
    private final Transaction transaction;
    private final SplittableRandom random;
    private final String description;

    /** The contents that the transaction must see. */
    private final TableModel view;

    private final Set<UpdatedCell> updated = new HashSet<>();
    private final Set<Integer> deleted = new HashSet<>();
    private final int baseRows;

    Changes(Version base, UUID id, SplittableRandom random, String description) {
      this.base = base;
      this.transaction = Transaction.on(base.snapshot, id);
      this.random = random;
      this.description = description;
      this.view = base.model.copy();
      this.baseRows = view.rowCount();
    }

    void make() {
      for (int i = random.nextInt(6); i >= 0; i--) {
        switch (random.nextInt(8)) {
          case 0 -> insert();
          case 1 -> insertRows();
          case 2 -> updateRows();
          case 3 -> delete();
          default -> update();
        }
      }
      check();
    }

    private int liveRow() {
      for (int attempt = 0; attempt < 20; attempt++) {
        int row = random.nextInt(view.rowCount());
        if (!view.isDeleted(row)) {
          return row;
        }
      }
      return -1;
    }

    private @Nullable Object value(int column) {
      ColumnSchema of = schema.columns().get(column);
      boolean isNull = of.nullable() && random.nextInt(4) == 0;
      return isNull ? null : Columns.randomValue(of.type(), random);
    }

    private void insert() {
      Map<String, @Nullable Object> row = new HashMap<>();
      List<List<@Nullable Object>> columns = new ArrayList<>();
      for (int c = 0; c < schema.columns().size(); c++) {
        Object value = value(c);
        row.put(schema.columns().get(c).name(), value);
        List<@Nullable Object> single = new ArrayList<>();
        single.add(value);
        columns.add(single);
      }
      long number = transaction.insert("t", row);
      assertThat(number).as(description).isEqualTo(view.rowCount());
      view.insert(columns);
    }

    private void insertRows() {
      int rows = 1 + random.nextInt(5);
      Map<String, ColumnValues> byName = new HashMap<>();
      List<List<@Nullable Object>> columns = new ArrayList<>();
      for (int c = 0; c < schema.columns().size(); c++) {
        List<@Nullable Object> values = new ArrayList<>();
        for (int i = 0; i < rows; i++) {
          values.add(value(c));
        }
        columns.add(values);
        ColumnSchema column = schema.columns().get(c);
        byName.put(column.name(), Columns.paged(column.type(), 1 + random.nextInt(3), values));
      }
      long number = transaction.insertRows("t", byName);
      assertThat(number).as(description).isEqualTo(view.rowCount());
      view.insert(columns);
    }

    private void update() {
      int row = liveRow();
      if (row >= 0) {
        int column = random.nextInt(schema.columns().size());
        Object value = value(column);
        transaction.update("t", schema.columns().get(column).name(), row, value);
        updateView(column, row, value);
      }
    }

    private void updateRows() {
      int column = random.nextInt(schema.columns().size());
      TreeMap<Integer, @Nullable Object> cells = new TreeMap<>();
      for (int i = random.nextInt(6); i >= 0; i--) {
        int row = liveRow();
        if (row >= 0) {
          cells.put(row, value(column));
        }
      }
      ColumnSchema of = schema.columns().get(column);
      List<@Nullable Object> rows = new ArrayList<>();
      cells.keySet().forEach(row -> rows.add((long) row));
      transaction.updateRows(
          "t",
          of.name(),
          Columns.paged(ColumnType.LONG, 2, rows),
          Columns.paged(of.type(), 3, new ArrayList<>(cells.values())));
      cells.forEach((row, value) -> updateView(column, row, value));
    }

    private void updateView(int column, int row, @Nullable Object value) {
      view.update(column, row, value);
      if (row < baseRows) {
        updated.add(new UpdatedCell(column, row));
      }
    }

    private void delete() {
      int row = liveRow();
      if (row >= 0) {
        transaction.delete("t", row);
        view.delete(row);
        if (row < baseRows) {
          deleted.add(row);
        }
      }
    }

    /** Checks that the transaction reads its own changes, and all that it did not change. */
    private void check() {
      assertThat(transaction.rowCount("t")).as(description).isEqualTo(view.rowCount());
      for (int row = 0; row < view.rowCount(); row++) {
        assertThat(transaction.isDeleted("t", row)).as(description).isEqualTo(view.isDeleted(row));
        for (int c = 0; c < schema.columns().size() && !view.isDeleted(row); c++) {
          Object seen = transaction.get("t", schema.columns().get(c).name(), row);
          if (!Objects.equals(seen, view.value(c, row))) {
            assertThat(seen)
                .as("%s, row %d, column %d", description, row, c)
                .isEqualTo(view.value(c, row));
          }
        }
      }
    }

    boolean conflict() {
      for (Version later : versions.subList(versions.indexOf(base) + 1, versions.size())) {
        for (UpdatedCell cell : updated) {
          if (later.updated.contains(cell) || later.deleted.contains(cell.row)) {
            return true;
          }
        }
        for (int row : deleted) {
          if (later.deleted.contains(row)
              || later.updated.stream().anyMatch(cell -> cell.row == row)) {
            return true;
          }
        }
      }
      return false;
    }

    Version onTopOf(Version current) {
      TableModel model = current.model.copy();
      for (UpdatedCell cell : updated) {
        model.update(cell.column, cell.row, view.value(cell.column, cell.row));
      }
      deleted.forEach(model::delete);
      List<List<@Nullable Object>> rows = new ArrayList<>();
      for (int c = 0; c < schema.columns().size(); c++) {
        List<@Nullable Object> values = new ArrayList<>();
        for (int row = baseRows; row < view.rowCount(); row++) {
          if (!view.isDeleted(row)) {
            values.add(view.value(c, row));
          }
        }
        rows.add(values);
      }
      if (!rows.get(0).isEmpty()) {
        model.insert(rows);
      }
      return new Version(
          store.snapshot(), replica.snapshot(), model, updated, new TreeSet<>(deleted));
    }
  }
}
