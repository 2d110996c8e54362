package io.drayage.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.store.column.ColumnSchema;
import io.drayage.store.column.TableSchema;
import java.util.UUID;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RejectedCargoTest {
  private static final ColumnValues NO_INTS = Columns.of(ColumnType.INT);

  private final MemoryStore store = new MemoryStore();

  /** Table t has 10 rows of which row 4 is deleted; the current snapshot is 1. */
  @BeforeEach
  void createTable() throws ShipmentException {
    store.createTable(
        TableSchema.of(
            "t",
            ColumnSchema.of("a", ColumnType.INT),
            ColumnSchema.nullable("b", ColumnType.INT),
            ColumnSchema.of("c", ColumnType.STRING)),
        10);
    store.commit(
        ChangeCargo.builder(new UUID(0, 1), 0)
            .table("t", table -> table.delete(Columns.bits(10, 4)))
            .build());
  }

  private void assertRejected(String message, Consumer<ChangeCargo.TableBuilder> changes) {
    assertRejected(message, ChangeCargo.builder(new UUID(0, 2), 1).table("t", changes).build());
  }

  private void assertRejected(String message, ChangeCargo cargo) {
    StoreSnapshot before = store.snapshot();
    assertThatThrownBy(() -> store.commit(cargo))
        .hasMessage(message)
        .asInstanceOf(type(ShipmentException.class))
        .extracting(ShipmentException::fault)
        .isEqualTo(Fault.REJECTED);
    assertThat(store.snapshot()).isSameAs(before);
    assertThat(store.lastApplied().timestamp()).isEqualTo(1);
  }

  private static Consumer<ChangeCargo.TableBuilder> insert(
      ColumnValues a, ColumnValues b, ColumnValues c) {
    return table -> table.insert("a", a).insert("b", b).insert("c", c);
  }

  private static Consumer<ChangeCargo.TableBuilder> updateA(long... rows) {
    return table ->
        table.update("a", Columns.rows(rows), ColumnValues.of(new int[][] {new int[rows.length]}));
  }

  @ParameterizedTest
  @ValueSource(longs = {2, Long.MAX_VALUE})
  void ofABaseThatIsNotThereYet(long base) {
    assertRejected(
        "base snapshot " + base + " does not exist yet: the current snapshot is 1",
        ChangeCargo.builder(new UUID(0, 2), base).build());
  }

  @Test
  void forAnUnknownTable() {
    assertRejected(
        "table 'u' does not exist",
        ChangeCargo.builder(new UUID(0, 2), 1).table("u", table -> {}).build());
  }

  @Test
  void forAnUnknownColumn() {
    assertRejected(
        "table 't' has no column 'd'", table -> table.update("d", Columns.rows(), NO_INTS));
    assertRejected("table 't' has no column 'd'", table -> table.insert("d", NO_INTS));
  }

  @Test
  void forAnotherType() {
    ColumnValues longs = Columns.of(ColumnType.LONG, 1L);
    assertRejected(
        "column 'a' of table 't' holds INT, not LONG",
        table -> table.update("a", Columns.rows(0), longs));
    assertRejected(
        "column 'c' of table 't' holds STRING, not LONG", table -> table.insert("c", longs));
  }

  @Test
  void forAMissingColumn() {
    assertRejected(
        "the rows inserted into table 't' lack column 'b'",
        table ->
            table
                .insert("a", Columns.of(ColumnType.INT, 1))
                .insert("c", Columns.of(ColumnType.STRING, "x")));
  }

  @Test
  void forAnInsertedNull() {
    assertRejected(
        "column 'a' of table 't' must not be null, but inserted row 1 is",
        insert(
            Columns.of(ColumnType.INT, 1, null),
            Columns.of(ColumnType.INT, 1, null),
            Columns.of(ColumnType.STRING, "x", "y")));
    assertRejected(
        "column 'c' of table 't' must not be null, but inserted row 0 is",
        insert(
            Columns.of(ColumnType.INT, 1),
            Columns.of(ColumnType.INT, 1),
            Columns.of(ColumnType.STRING, (Object) null)));
  }

  @Test
  void forAnUpdateToNull() {
    assertRejected(
        "column 'a' of table 't' must not be null, but row 7 is updated to null",
        table -> table.update("a", Columns.rows(3, 7), Columns.of(ColumnType.INT, 1, null)));
    assertRejected(
        "column 'c' of table 't' must not be null, but row 3 is updated to null",
        table -> table.update("c", Columns.rows(3), Columns.of(ColumnType.STRING, (Object) null)));
  }

  @Test
  void forARowOutsideTheTable() {
    String message = "column 'a' of table 't': row %s is outside the table's 10 rows";
    assertRejected(message.formatted("10"), updateA(9, 10));
    assertRejected(message.formatted("10"), updateA(10, 9));
    assertRejected(message.formatted("-1"), updateA(-1, 3));
    assertRejected(message.formatted("-3"), updateA(5, -3));
    // The distance from 3 to this one wraps round to a positive number.
    String lowest = message.formatted("-9,223,372,036,854,775,808");
    assertRejected(lowest, updateA(3, Long.MIN_VALUE));
    assertRejected(lowest, updateA(3, Long.MIN_VALUE, 7));
    assertRejected(message.formatted("9,223,372,036,854,775,807"), updateA(0, Long.MAX_VALUE));
  }

  @Test
  void forARowThatTheSameCargoInserts() {
    assertRejected(
        "column 'a' of table 't': row 10 is outside the table's 10 rows",
        table -> {
          insert(
                  Columns.of(ColumnType.INT, 1),
                  Columns.of(ColumnType.INT, 1),
                  Columns.of(ColumnType.STRING, "x"))
              .accept(table);
          updateA(10).accept(table);
        });
  }

  @Test
  void forADeletedRow() {
    String message = "column 'a' of table 't': row 4 is updated, but it is deleted";
    assertRejected(message, updateA(3, 4, 5));
    assertRejected(message, updateA(5, 4, 3));
  }

  @Test
  void forARowUpdatedTwice() {
    String message = "column 'a' of table 't': row 3 is updated twice";
    assertRejected(message, updateA(3, 3));
    assertRejected(message, updateA(3, 7, 3));
  }

  @Test
  void forARowUpdatedTwiceOnDifferentPagesOfRowIds() {
    assertRejected(
        "column 'a' of table 't': row 3 is updated twice",
        table ->
            table.update(
                "a",
                ColumnValues.of(new long[][] {{1, 3}, {3, 5}}),
                Columns.of(ColumnType.INT, 1, 2, 3, 4)));
  }

  @Test
  void forMoreDeletedBitsThanRows() {
    assertRejected(
        "table 't': 11 deleted bits exceed the table's 10 rows",
        table -> table.delete(Columns.bits(11)));
  }

  @Test
  void forADeletedRowToDelete() {
    assertRejected(
        "table 't': row 4 cannot be deleted: it is deleted already",
        table -> table.delete(Columns.bits(10, 3, 4)));
  }

  @Test
  void forAPageThatWasNeverWritten() {
    assertRejected(
        "column 'a' of table 't' lacks page 0 of 1",
        insert(
            ColumnValues.allocate(ColumnType.INT, 1, false),
            Columns.of(ColumnType.INT, 1),
            Columns.of(ColumnType.STRING, "x")));
    assertRejected(
        "column 'a' of table 't' lacks page 0 of 1",
        table ->
            table.update(
                "a",
                ColumnValues.allocate(ColumnType.LONG, 1, false),
                Columns.of(ColumnType.INT, 1)));
  }

  @Test
  void acceptsValidityBitsOfAColumnThatIsNeverNullIfAllAreSet() throws ShipmentException {
    ColumnValues values = ColumnValues.allocate(ColumnType.INT, 1, true);
    ((int[]) values.pageForWrite(0))[0] = 5;
    store.commit(
        ChangeCargo.builder(new UUID(0, 2), 1)
            .table("t", table -> table.update("a", Columns.rows(0), values))
            .build());

    assertThat(store.snapshot().table("t").get("a", 0)).isEqualTo(5);
  }
}
