package io.drayage.cargo;

import static io.drayage.testing.Refusals.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.UUID;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ChangeCargoTest {
  private static final UUID ID = new UUID(-3, 4);
  private static final ColumnValues ONE = ColumnValues.of(new long[][] {{1}});
  private static final ColumnValues TWO = ColumnValues.of(new long[][] {{1, 2}});

  @Test
  void keepsWhatItWasGiven() {
    RowBits deleted = new RowBits(9);
    ChangeCargo cargo =
        ChangeCargo.builder(ID, 7)
            .table("t", t -> t.insert("a", TWO).insert("b", TWO).update("a", ONE, ONE))
            .table("u", t -> t.delete(deleted))
            .table("empty", t -> {})
            .build();

    assertThat(cargo.transactionId()).isEqualTo(ID);
    assertThat(cargo.baseSnapshot()).isEqualTo(7);
    assertThat(cargo.tables()).extracting(TableChanges::table).containsExactly("t", "u", "empty");
    assertThat(cargo.tables().get(0).insertedRowCount()).isEqualTo(2);
    assertThat(cargo.tables().get(0).updates()).containsExactly(new ColumnUpdates("a", ONE, ONE));
    assertThat(cargo.tables().get(0).deletedRows()).isNull();
    assertThat(cargo.tables().get(1).deletedRows()).isSameAs(deleted);
    assertThat(cargo.tables().get(2).insertedRowCount()).isZero();
  }

  @Test
  void refusesTableThatStandsTwice() {
    ChangeCargo.Builder builder =
        ChangeCargo.builder(ID, 7).table("t", t -> {}).table("t", t -> t.insert("a", ONE));

    assertFails(builder::build, IllegalArgumentException.class, "table 't' occurs twice");
  }

  @Test
  void refusesColumnThatStandsTwice() {
    assertRefused(t -> t.insert("a", ONE).insert("a", ONE), "column 'a' of table 't' is inserted");
    assertRefused(
        t -> t.update("a", ONE, ONE).update("a", ONE, ONE), "column 'a' of table 't' is updated");
    assertRefused(
        t -> t.delete(new RowBits(1)).delete(new RowBits(1)), "deleted rows of table 't'");
  }

  @Test
  void refusesUnequalRowCounts() {
    assertRefused(
        t -> t.insert("a", TWO).insert("b", ONE),
        "column 'b' of table 't' inserts 1 rows, but column 'a' 2");
    assertRefused(t -> t.update("a", TWO, ONE), "column 'a' has 2 row ids for 1 values");
  }

  @Test
  void refusesRowIdsThatAreNoPlainLongs() {
    ColumnValues nullable = ColumnValues.of(new long[][] {{1}}, RowBits.allSet(1));
    assertRefused(t -> t.update("a", nullable, ONE), "column 'a' must be longs without nulls");
    assertRefused(
        t -> t.update("a", ColumnValues.of(new int[][] {{1}}), ONE),
        "column 'a' must be longs without nulls");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "\uD800",
        "a\uDC00b",
        "\uDE00\uD83D",
        "a\0",
        "\u001B[31m",
        "\u0085",
        "\u202Ex",
        "\u2029"
      })
  void refusesNamesThatWouldNotArriveOrSteerATerminal(String name) {
    assertRefusedName(name);
  }

  @Test
  void takesNamesUpToTheLimit() {
    String longest = "汉".repeat(Names.MAX_LENGTH);
    ChangeCargo.builder(ID, 7).table(longest, t -> t.insert(longest, ONE)).build();
    ChangeCargo.builder(ID, 7).table("😀👩\u200D🚀", t -> t.insert(" ", ONE)).build();

    assertRefusedName(longest + "x");
  }

  private static void assertRefusedName(String name) {
    assertThatThrownBy(() -> ChangeCargo.builder(ID, 7).table(name, t -> {}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("table name");
    assertRefused(t -> t.insert(name, ONE), "column name");
    assertRefused(t -> t.update(name, ONE, ONE), "column name");
  }

  private static void assertRefused(Consumer<ChangeCargo.TableChangesBuilder> changes, String why) {
    ChangeCargo.Builder builder = ChangeCargo.builder(ID, 7);
    assertFails(() -> builder.table("t", changes), IllegalArgumentException.class, why);
  }
}
