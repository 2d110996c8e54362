package io.drayage.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnSchema;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.TableSchema;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RejectedCargoTest {
  private static final ColumnValues NO_INTS = Columns.of(ColumnType.INT);

  private final MemoryStore store = new MemoryStore();

  /** Creates table t with 10 rows, of which row 4 is deleted; the current snapshot is 1. */
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

  private static Consumer<ChangeCargo.TableChangesBuilder> insert(
      ColumnValues a, ColumnValues b, ColumnValues c) {
    return table -> table.insert("a", a).insert("b", b).insert("c", c);
  }

  private static Consumer<ChangeCargo.TableChangesBuilder> updateA(long... rows) {
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

  private static Arguments of(String message, Consumer<ChangeCargo.TableChangesBuilder> changes) {
    return Arguments.of(message, changes);
  }

  /** The errors in cargoes for table t, and their messages. */
  static Stream<Arguments> cargoes() {
    ColumnValues one = Columns.of(ColumnType.INT, 1);
    ColumnValues x = Columns.of(ColumnType.STRING, "x");
    ColumnValues nullText = Columns.of(ColumnType.STRING, (Object) null);
    ColumnValues longs = Columns.of(ColumnType.LONG, 1L);
    ColumnValues unwritten = ColumnValues.allocate(ColumnType.INT, 1, false);
    ColumnValues unwrittenIds = ColumnValues.allocate(ColumnType.LONG, 1, false);
    String noSuchColumn = "table 't' has no column 'd'";
    String outside = "column 'a' of table 't': row %s is outside the table's 10 rows";
    // The distance from 3 to this number wraps round to a positive number.
    String lowest = outside.formatted("-9,223,372,036,854,775,808");
    String deleted = "column 'a' of table 't': row 4 is updated, but it is deleted";
    String twice = "column 'a' of table 't': row 3 is updated twice";
    String unfilled = "column 'a' of table 't' lacks page 0 of 1";
    return Stream.of(
        of(noSuchColumn, t -> t.update("d", Columns.rows(), NO_INTS)),
        of(noSuchColumn, t -> t.insert("d", NO_INTS)),
        of(
            "column 'a' of table 't' holds INT, not LONG",
            t -> t.update("a", Columns.rows(0), longs)),
        of("column 'c' of table 't' holds STRING, not LONG", t -> t.insert("c", longs)),
        of(
            "the rows inserted into table 't' lack column 'b'",
            t -> t.insert("a", one).insert("c", x)),
        of(
            "column 'a' of table 't' must not be null, but inserted row 1 is",
            insert(
                Columns.of(ColumnType.INT, 1, null),
                Columns.of(ColumnType.INT, 1, null),
                Columns.of(ColumnType.STRING, "x", "y"))),
        of(
            "column 'c' of table 't' must not be null, but inserted row 0 is",
            insert(one, one, nullText)),
        of(
            "column 'a' of table 't' must not be null, but row 7 is updated to null",
            t -> t.update("a", Columns.rows(3, 7), Columns.of(ColumnType.INT, 1, null))),
        of(
            "column 'c' of table 't' must not be null, but row 3 is updated to null",
            t -> t.update("c", Columns.rows(3), nullText)),
        of(outside.formatted("10"), updateA(9, 10)),
        of(outside.formatted("10"), updateA(10, 9)),
        of(outside.formatted("-1"), updateA(-1, 3)),
        of(outside.formatted("-3"), updateA(5, -3)),
        of(lowest, updateA(3, Long.MIN_VALUE)),
        of(lowest, updateA(3, Long.MIN_VALUE, 7)),
        of(outside.formatted("9,223,372,036,854,775,807"), updateA(0, Long.MAX_VALUE)),
        // The same cargo inserts this row.
        of(outside.formatted("10"), insert(one, one, x).andThen(updateA(10))),
        of(deleted, updateA(3, 4, 5)),
        of(deleted, updateA(5, 4, 3)),
        of(twice, updateA(3, 3)),
        of(twice, updateA(3, 7, 3)),
        // The two are on different pages of row ids.
        of(
            twice,
            t ->
                t.update(
                    "a",
                    ColumnValues.of(new long[][] {{1, 3}, {3, 5}}),
                    Columns.of(ColumnType.INT, 1, 2, 3, 4))),
        of(
            "table 't': 11 deleted bits exceed the table's 10 rows",
            t -> t.delete(Columns.bits(11))),
        of(
            "table 't': row 4 cannot be deleted: it is deleted already",
            t -> t.delete(Columns.bits(10, 3, 4))),
        of(unfilled, insert(unwritten, one, x)),
        of(unfilled, t -> t.update("a", unwrittenIds, one)));
  }

  @ParameterizedTest
  @MethodSource("cargoes")
  void byName(String message, Consumer<ChangeCargo.TableChangesBuilder> changes) {
    assertRejected(message, ChangeCargo.builder(new UUID(0, 2), 1).table("t", changes).build());
  }

  @Test
  void forAnUnknownTable() {
    assertRejected(
        "table 'u' does not exist",
        ChangeCargo.builder(new UUID(0, 2), 1).table("u", table -> {}).build());
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
