package io.drayage.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.frame.ShipmentException;
import io.drayage.store.column.ColumnSchema;
import io.drayage.store.column.Pages;
import io.drayage.store.column.StoredTable;
import io.drayage.store.column.TableSchema;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Inserts, updates and deletes on a table of 200 default rows, in pages that do not line up. */
class EveryTypeTest {
  private static final int DEFAULT_ROWS = 200;
  private static final int INSERTED_ROWS = 300;

  /** None is a multiple of 64: a page's validity bits do not start at a word of the column's. */
  private static final int INSERTED_PAGE = 77;

  private static final int ROW_ID_PAGE = 30;
  private static final int VALUE_PAGE = 13;

  private final SplittableRandom random = new SplittableRandom(5);
  private final MemoryStore store = new MemoryStore();
  private final List<@Nullable Object> expected = new ArrayList<>();

  static Stream<Arguments> typesWithAndWithoutNulls() {
    return Stream.of(ColumnType.values())
        .flatMap(type -> Stream.of(Arguments.of(type, false), Arguments.of(type, true)));
  }

  private void createWithInsertedRows(ColumnType type, boolean nulls) throws ShipmentException {
    store.createTable(TableSchema.of("t", new ColumnSchema("c", type, nulls)), DEFAULT_ROWS);
    expected.addAll(Collections.nCopies(DEFAULT_ROWS, Pages.defaultValue(type)));
    List<@Nullable Object> inserted = randomValues(type, nulls, INSERTED_ROWS);
    commit(table -> table.insert("c", Columns.paged(type, INSERTED_PAGE, inserted)));
    expected.addAll(inserted);
  }

  private void commit(Consumer<ChangeCargo.TableBuilder> changes) throws ShipmentException {
    long base = store.snapshot().timestamp();
    ChangeCargo cargo = ChangeCargo.builder(new UUID(0, base), base).table("t", changes).build();
    long sent = CargoDigest.of(cargo);
    store.commit(cargo);
    assertThat(store.lastApplied().digest()).isEqualTo(sent);
  }

  private void update(ColumnType type, boolean nulls, List<Long> rows) throws ShipmentException {
    List<@Nullable Object> values = randomValues(type, nulls, rows.size());
    ColumnValues rowIds =
        Columns.paged(ColumnType.LONG, ROW_ID_PAGE, new ArrayList<@Nullable Object>(rows));
    commit(table -> table.update("c", rowIds, Columns.paged(type, VALUE_PAGE, values)));
    for (int i = 0; i < rows.size(); i++) {
      expected.set(rows.get(i).intValue(), values.get(i));
    }
  }

  private List<@Nullable Object> randomValues(ColumnType type, boolean nulls, int count) {
    List<@Nullable Object> values = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      values.add(nulls && random.nextInt(4) == 0 ? null : Columns.randomValue(type, random));
    }
    return values;
  }

  private List<Long> everyThirdRow() {
    List<Long> rows = new ArrayList<>();
    for (long row = 1; row < DEFAULT_ROWS + INSERTED_ROWS; row += 3) {
      rows.add(row);
    }
    return rows;
  }

  private void assertStored() {
    assertThat(Columns.valuesOf(store.snapshot().table("t"), "c")).isEqualTo(expected);
  }

  @ParameterizedTest
  @MethodSource("typesWithAndWithoutNulls")
  void insertsRows(ColumnType type, boolean nulls) throws ShipmentException {
    createWithInsertedRows(type, nulls);

    assertStored();
  }

  @ParameterizedTest
  @MethodSource("typesWithAndWithoutNulls")
  void updatesRowsInAscendingOrder(ColumnType type, boolean nulls) throws ShipmentException {
    createWithInsertedRows(type, nulls);

    update(type, nulls, everyThirdRow());
    assertStored();
    update(type, nulls, everyThirdRow());
    assertStored();
  }

  @ParameterizedTest
  @MethodSource("typesWithAndWithoutNulls")
  void updatesRowsInAnyOrder(ColumnType type, boolean nulls) throws ShipmentException {
    createWithInsertedRows(type, nulls);
    List<Long> rows = everyThirdRow();
    for (int i = rows.size() - 1; i > 0; i--) {
      Collections.swap(rows, i, random.nextInt(i + 1));
    }

    update(type, nulls, rows);

    assertStored();
  }

  @ParameterizedTest
  @MethodSource("typesWithAndWithoutNulls")
  void updatesFromNullToValuesOnly(ColumnType type, boolean nulls) throws ShipmentException {
    createWithInsertedRows(type, nulls);

    update(type, false, everyThirdRow());

    assertStored();
  }

  @ParameterizedTest
  @MethodSource("typesWithAndWithoutNulls")
  void keepsTheValuesOfDeletedRows(ColumnType type, boolean nulls) throws ShipmentException {
    createWithInsertedRows(type, nulls);

    commit(table -> table.delete(Columns.bits(DEFAULT_ROWS + INSERTED_ROWS, 0, 199, 200, 499)));

    StoredTable table = store.snapshot().table("t");
    assertStored();
    assertThat(table.liveRowCount()).isEqualTo(DEFAULT_ROWS + INSERTED_ROWS - 4);
    for (long row : new long[] {0, 199, 200, 499}) {
      assertThat(table.isDeleted(row)).as("row %d", row).isTrue();
    }
    for (long row : new long[] {1, 198, 201, 498}) {
      assertThat(table.isDeleted(row)).as("row %d", row).isFalse();
    }
  }
}
