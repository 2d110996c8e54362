package io.drayage.store;

import static io.drayage.internal.Texts.format;
import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnSchema;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.RowBits;
import io.drayage.cargo.TableSchema;
import io.drayage.frame.ShipmentException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.ForkJoinPool;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random commits and resets, compared with a naive model after each. */
class RandomCommitsTest {
  private static final int COMMITS = 150;
  private static final int DEFAULT_ROWS = 70;

  private record Version(StoreSnapshot snapshot, TableModel model) {}

  private final MemoryStore store = new MemoryStore(0, ForkJoinPool.commonPool(), 3);
  private final TableSchema schema = everyTypeWithAndWithoutNulls();

  private static TableSchema everyTypeWithAndWithoutNulls() {
    List<ColumnSchema> columns = new ArrayList<>();
    for (ColumnType type : ColumnType.values()) {
      columns.add(ColumnSchema.of(type + " filled", type));
      columns.add(ColumnSchema.nullable(type + " nullable", type));
    }
    return new TableSchema("t", columns);
  }

  @Test
  void agreeWithAModel() throws ShipmentException {
    agreeWithAModel(1);
  }

  @ParameterizedTest
  @ValueSource(longs = {2, 3})
  @Tag("ci")
  void agreeWithAModel(long seed) throws ShipmentException {
    SplittableRandom random = new SplittableRandom(seed);
    store.createTable(schema, DEFAULT_ROWS);
    List<Version> current = new ArrayList<>();
    current.add(new Version(store.snapshot(), new TableModel(schema, DEFAULT_ROWS)));
    List<Version> abandoned = new ArrayList<>();
    for (int i = 0; i < COMMITS; i++) {
      String description = format("seed %d, commit %d", seed, i);
      if (random.nextInt(25) == 0) {
        goBack(current, abandoned, random);
      }
      current.add(commit(i, current.get(current.size() - 1).model.copy(), random, description));
    }
    current.forEach(version -> assertUnchanged(version, format("seed %d", seed)));
    abandoned.forEach(version -> assertUnchanged(version, format("seed %d", seed)));
  }

  private void goBack(List<Version> current, List<Version> abandoned, SplittableRandom random) {
    int kept = Math.max(1, current.size() - random.nextInt(10));
    List<Version> tail = current.subList(kept, current.size());
    abandoned.addAll(tail);
    tail.clear();
    store.reset(current.get(kept - 1).snapshot);
  }

  private Version commit(int id, TableModel model, SplittableRandom random, String description)
      throws ShipmentException {
    ChangeCargo cargo =
        ChangeCargo.builder(new UUID(0, id), store.snapshot().timestamp())
            .table("t", table -> change(table, model, random))
            .build();
    long sent = CargoDigest.of(cargo);

    store.commit(cargo);

    model.assertSame(store.snapshot().table("t"), description);
    assertThat(store.lastApplied().digest()).as(description).isEqualTo(sent);
    return new Version(store.snapshot(), model);
  }

  private static void assertUnchanged(Version version, String description) {
    version.model.assertSame(
        version.snapshot.table("t"), description + ", at the end, " + version.snapshot);
    version.model.assertSameLiveRows(version.snapshot.table("t"), description);
  }

  /** Puts random changes into a cargo and into the model. */
  private void change(
      ChangeCargo.TableChangesBuilder table, TableModel model, SplittableRandom random) {
    List<Integer> rowsBefore = liveRows(model);
    for (int c = 0; c < schema.columns().size(); c++) {
      if (random.nextInt(3) == 0) {
        update(table, model, c, someOf(rowsBefore, random), random);
      }
    }
    if (random.nextInt(3) == 0) {
      RowBits deletes = new RowBits(model.rowCount());
      for (int row : someOf(rowsBefore, random).stream().limit(5).toList()) {
        deletes.set(row);
        model.delete(row);
      }
      table.delete(deletes);
    }
    if (random.nextInt(2) == 0) {
      insert(table, model, random.nextInt(random.nextInt(10) == 0 ? 200 : 20), random);
    }
  }

  private static List<Integer> liveRows(TableModel model) {
    List<Integer> rows = new ArrayList<>();
    for (int row = 0; row < model.rowCount(); row++) {
      if (!model.isDeleted(row)) {
        rows.add(row);
      }
    }
    return rows;
  }

  /** Ascending half of the time, else shuffled. */
  private static List<Integer> someOf(List<Integer> rows, SplittableRandom random) {
    int oneIn = 1 + random.nextInt(20);
    List<Integer> chosen = new ArrayList<>();
    for (int row : rows) {
      if (random.nextInt(oneIn) == 0) {
        chosen.add(row);
      }
    }
    if (random.nextBoolean()) {
      for (int i = chosen.size() - 1; i > 0; i--) {
        Collections.swap(chosen, i, random.nextInt(i + 1));
      }
    }
    return chosen;
  }

  private void update(
      ChangeCargo.TableChangesBuilder table,
      TableModel model,
      int column,
      List<Integer> rows,
      SplittableRandom random) {
    ColumnSchema columnSchema = schema.columns().get(column);
    List<@Nullable Object> values = randomValues(columnSchema, rows.size(), random);
    List<@Nullable Object> rowIds = new ArrayList<>();
    for (int i = 0; i < rows.size(); i++) {
      rowIds.add((long) rows.get(i));
      model.update(column, rows.get(i), values.get(i));
    }
    table.update(
        columnSchema.name(),
        Columns.paged(ColumnType.LONG, 1 + random.nextInt(100), rowIds),
        Columns.paged(columnSchema.type(), 1 + random.nextInt(100), values));
  }

  private void insert(
      ChangeCargo.TableChangesBuilder table, TableModel model, int rows, SplittableRandom random) {
    List<List<@Nullable Object>> byColumn = new ArrayList<>();
    for (ColumnSchema column : schema.columns()) {
      List<@Nullable Object> values = randomValues(column, rows, random);
      byColumn.add(values);
      ColumnValues paged = Columns.paged(column.type(), 1 + random.nextInt(rows + 1), values);
      table.insert(column.name(), paged);
    }
    model.insert(byColumn);
  }

  private static List<@Nullable Object> randomValues(
      ColumnSchema column, int count, SplittableRandom random) {
    boolean nulls = column.nullable() && random.nextBoolean();
    List<@Nullable Object> values = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      boolean isNull = nulls && random.nextInt(4) == 0;
      values.add(isNull ? null : Columns.randomValue(column.type(), random));
    }
    return values;
  }
}
