package io.drayage.store;

import static io.drayage.testing.Refusals.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnSchema;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.TableSchema;
import io.drayage.frame.Fault;
import io.drayage.frame.OnConflict;
import io.drayage.store.column.StoredColumn;
import io.drayage.store.column.StoredTable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.ForkJoinPool;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Drops, makes, replaces and writes tables at random, on the newest or an older snapshot, by one
 * cargo or several. Compares every snapshot with a model, a replica and a loaded store.
 */
class RandomDropsTest {
  private static final int STEPS = 150;
  private static final List<String> NAMES = List.of("a", "b", "c");

  /**
   * A table of the model.
   *
   * @param id of this table, whatever its name
   * @param writes number of the last commit that changed it
   * @param rows null for a deleted row
   */
  private record Modelled(
      int id, long writes, TableSchema schema, List<@Nullable Map<String, Object>> rows) {
    Modelled with(long now, List<@Nullable Map<String, Object>> changed) {
      return new Modelled(id, now, schema, changed);
    }
  }

  private final List<StoreSnapshot> snapshots = new ArrayList<>();
  private final List<Map<String, Modelled>> models = new ArrayList<>();
  private SplittableRandom random = new SplittableRandom();
  private MemoryStore store = new MemoryStore();
  private MemoryStore copy = new MemoryStore();
  private int tables;
  private int refusals;
  private int drops;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void everySnapshotHasTheTablesOfTheModel(long seed) throws Exception {
    random = new SplittableRandom(seed);
    snapshots.add(store.snapshot());
    models.add(Map.of());
    for (int step = 0; step < STEPS; step++) {
      step();
      if (random.nextInt(20) == 0) {
        reload();
      }
    }
    for (int i = 0; i < snapshots.size(); i++) {
      assertSame(snapshots.get(i), models.get(i), "seed " + seed + ", snapshot " + i);
    }
    assertThat(drops).as("seed %d", seed).isPositive();
    assertThat(refusals).as("seed %d", seed).isPositive();
  }

  private void step() throws Exception {
    int now = models.size() - 1;
    int on = random.nextInt(3) == 0 ? random.nextInt(now + 1) : now;
    String name = NAMES.get(random.nextInt(NAMES.size()));
    Modelled before = models.get(on).get(name);
    Modelled current = models.get(now).get(name);
    Map<String, Modelled> next = new LinkedHashMap<>(models.get(now));
    Transaction edit = Transaction.on(snapshots.get(on));
    boolean conflicts;
    int action = before == null ? 0 : 1 + random.nextInt(4);
    if (action == 0) {
      TableSchema schema = schema(name);
      edit.createNewTable(schema);
      // Nobody may have made it, or made and dropped it, since.
      conflicts = current != null || wasThere(name, on);
      insert(edit, new Modelled(tables++, now + 1, schema, List.of()), next, now + 1);
    } else if (action <= 2) {
      edit.dropTable(name);
      conflicts = current == null || current.id != before.id || current.writes > on;
      next.remove(name);
      drops++;
      if (action == 2) {
        TableSchema schema = schema(name);
        edit.createTable(schema);
        insert(edit, new Modelled(tables++, now + 1, schema, List.of()), next, now + 1);
      }
    } else if (action == 3 || on < now) {
      conflicts = current == null || current.id != before.id;
      insert(edit, conflicts ? before : current, next, now + 1);
    } else {
      conflicts = false;
      change(edit, before, next, now + 1);
    }
    ChangeCargo cargo = edit.toCargo();
    if (conflicts) {
      refusals++;
      assertFails(() -> commit(cargo), Fault.CONFLICT, "table '" + name + "'");
      return;
    }
    long applied = commit(cargo);
    Replays.replay(copy, UUID.randomUUID(), now + 1L, applied, cargo);
    assertThat(digest(copy.snapshot())).isEqualTo(digest(store.snapshot()));
    assertThat(copy.lastApplied().droppedTables()).isEqualTo(cargo.droppedTables());
    snapshots.add(store.snapshot());
    models.add(next);
    assertSame(store.snapshot(), next, "newest");
  }

  /** Whether a table of that name was there at any time since. */
  private boolean wasThere(String name, int since) {
    return models.subList(since, models.size()).stream().anyMatch(each -> each.containsKey(name));
  }

  /** Commits by one cargo, or by a build of one, while others commit. Returns the digest. */
  private long commit(ChangeCargo cargo) throws Exception {
    if (random.nextBoolean()) {
      store.commit(cargo);
      return store.lastApplied().appliedDigest(cargo);
    }
    TransactionBuild build =
        store.begin(
            StoreFixture.named(cargo.transactionId(), cargo.baseSnapshot()),
            OnConflict.REJECT,
            false,
            MemoryLimit.NONE,
            0);
    build.add(cargo);
    store.commit(build);
    return build.digest();
  }

  private TableSchema schema(String name) {
    List<ColumnSchema> columns = new ArrayList<>();
    int count = 1 + random.nextInt(3);
    for (int c = 0; c < count; c++) {
      ColumnType type = random.nextBoolean() ? ColumnType.LONG : ColumnType.STRING;
      columns.add(ColumnSchema.of("c" + c, type));
    }
    return new TableSchema(name, columns);
  }

  private void insert(Transaction edit, Modelled table, Map<String, Modelled> next, long now) {
    List<@Nullable Map<String, Object>> rows = new ArrayList<>(table.rows);
    for (int i = random.nextInt(5); i >= 0; i--) {
      Map<String, Object> row = new HashMap<>();
      for (ColumnSchema column : table.schema.columns()) {
        row.put(column.name(), Columns.randomValue(column.type(), random));
      }
      edit.insert(table.schema.name(), row);
      rows.add(row);
    }
    next.put(table.schema.name(), table.with(now, rows));
  }

  private void change(Transaction edit, Modelled table, Map<String, Modelled> next, long now) {
    List<@Nullable Map<String, Object>> rows = new ArrayList<>(table.rows);
    String name = table.schema.name();
    for (int row = 0; row < rows.size(); row++) {
      Map<String, Object> values = rows.get(row);
      if (values == null || random.nextInt(3) > 0) {
        continue;
      }
      if (random.nextInt(4) == 0) {
        edit.delete(name, row);
        rows.set(row, null);
      } else {
        ColumnSchema column = table.schema.columns().get(0);
        Map<String, Object> changed = new HashMap<>(values);
        changed.put(column.name(), Columns.randomValue(column.type(), random));
        edit.update(name, column.name(), row, changed.get(column.name()));
        rows.set(row, changed);
      }
    }
    insert(edit, table.with(now, rows), next, now);
  }

  /** Goes on with a loaded store, as a node that starts. */
  private void reload() {
    StoreSnapshot newest = store.snapshot();
    StoreSnapshot loaded =
        FullContents.toSnapshot(newest.timestamp(), FullContents.toCargo(newest));
    assertThat(digest(loaded)).isEqualTo(digest(newest));
    copy = new MemoryStore(loaded, store.known(), ForkJoinPool.commonPool(), 1, 1 << 20);
  }

  private static long digest(StoreSnapshot snapshot) {
    return CargoDigest.of(FullContents.toCargo(snapshot));
  }

  private static void assertSame(
      StoreSnapshot snapshot, Map<String, Modelled> model, String where) {
    assertThat(snapshot.tables()).as(where).hasSize(model.size());
    model.forEach(
        (name, modelled) -> {
          StoredTable table = snapshot.table(name);
          assertThat(table.schema()).as(where).isEqualTo(modelled.schema);
          List<@Nullable Map<String, Object>> rows = new ArrayList<>();
          for (long row = 0; row < table.rowCount(); row++) {
            rows.add(table.isDeleted(row) ? null : row(table, row));
          }
          assertThat(rows).as(where).isEqualTo(modelled.rows);
        });
  }

  private static Map<String, Object> row(StoredTable table, long row) {
    Map<String, Object> values = new HashMap<>();
    for (StoredColumn column : table.columns()) {
      Object value = column.get(row);
      if (value != null) {
        values.put(column.schema().name(), value);
      }
    }
    return values;
  }
}
