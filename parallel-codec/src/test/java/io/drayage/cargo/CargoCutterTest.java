package io.drayage.cargo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.drayage.testing.OnDemand;
import io.drayage.testing.Repaging;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Cargoes that are cut into smaller ones. */
class CargoCutterTest {
  private static final int PAGE = 1_024;
  private static final int PAGES = 40;

  @Test
  void piecesHaveAllRowsInTheirOrder() {
    int rows = 10_000;
    ChangeCargo whole =
        ChangeCargo.builder(new UUID(1, 1), 7)
            .table(
                "t",
                changes ->
                    changes
                        .insert("a", column(ColumnType.LONG, rows, true))
                        .insert("b", texts(rows))
                        .update("a", longs(rows), longs(rows))
                        .delete(RandomCargo.bits(4, 500)))
            .table("u", changes -> changes.insert("c", column(ColumnType.INT, 3 * PAGE + 5, false)))
            .newTable(TableSchema.of("u", ColumnSchema.of("c", ColumnType.INT)))
            .build();

    List<ChangeCargo> pieces = CargoCutter.cut(whole, 20_000);

    assertThat(pieces).hasSizeGreaterThan(5);
    assertThat(pieces).extracting(ChangeCargo::transactionId).doesNotHaveDuplicates();
    assertThat(pieces).allSatisfy(piece -> assertThat(piece.baseSnapshot()).isEqualTo(7));
    assertThat(pieces)
        .allSatisfy(piece -> assertThat(piece.newTables()).isEqualTo(whole.newTables()));
    assertThat(rows(pieces)).isEqualTo(rows(List.of(whole)));
    assertThat(
            pieces.stream()
                .flatMap(piece -> piece.tables().stream())
                .filter(table -> table.deletedRows() != null))
        .hasSize(1);
  }

  @Test
  void aPieceIsAboutAsLargeAsItMayBe() {
    ChangeCargo whole =
        ChangeCargo.builder(new UUID(1, 1), 0)
            .table("u", changes -> changes.insert("c", column(ColumnType.INT, 100 * PAGE, false)))
            .build();

    List<ChangeCargo> pieces = CargoCutter.cut(whole, 10 * PAGE * 4);

    assertThat(pieces).hasSize(10);
    assertThat(pieces)
        .allSatisfy(piece -> assertThat(CargoSize.rawBytes(piece)).isEqualTo(10 * PAGE * 4L));
  }

  @Test
  void whatIsSmallStaysWhole() {
    ChangeCargo whole = RandomCargo.of(1, 100);
    assertThat(CargoCutter.cut(whole, 1 << 30))
        .allSatisfy(piece -> assertThat(piece.transactionId()).isNotEqualTo(whole.transactionId()));
    ChangeCargo empty = ChangeCargo.builder(new UUID(1, 1), 3).build();
    assertThat(CargoCutter.cut(empty, 1))
        .singleElement()
        .satisfies(piece -> assertThat(piece.tables()).isEmpty());
  }

  private static ColumnValues longs(int rows) {
    return column(ColumnType.LONG, rows, false);
  }

  private static ColumnValues texts(int rows) {
    return Repaging.of(RandomCargo.column(rows, ColumnType.STRING, rows, true), PAGE);
  }

  private static ColumnValues column(ColumnType type, int rows, boolean nullable) {
    return new OnDemand().of(RandomCargo.column(rows, type, rows, nullable), PAGE);
  }

  /** Returns the inserted values and the updates of each column, in the order of the cargoes. */
  private static Map<String, List<String>> rows(List<ChangeCargo> cargoes) {
    Map<String, List<String>> rows = new HashMap<>();
    for (ChangeCargo cargo : cargoes) {
      for (TableChanges table : cargo.tables()) {
        for (InsertedColumn in : table.insertedColumns()) {
          for (long row = 0; row < in.values().rowCount(); row++) {
            rows.computeIfAbsent(table.table() + "." + in.column(), name -> new ArrayList<>())
                .add(String.valueOf(in.values().get(row)));
          }
        }
        for (ColumnUpdates update : table.updates()) {
          for (long row = 0; row < update.values().rowCount(); row++) {
            rows.computeIfAbsent("update " + update.column(), name -> new ArrayList<>())
                .add(update.rowIds().get(row) + "=" + update.values().get(row));
          }
        }
      }
    }
    return rows;
  }

  private static ChangeCargo twoTables() {
    ColumnValues numbers =
        ColumnValues.onDemand(ColumnType.INT, PAGES * PAGE, PAGE, page -> new int[PAGE], null);
    return ChangeCargo.builder(UUID.randomUUID(), 1)
        .table("a", table -> table.insert("n", numbers))
        .table("b", table -> table.insert("n", numbers))
        .build();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7, 16, 80, 1_000})
  void cutsIntoExactlySoManyPieces(int wanted) {
    List<ChangeCargo> pieces = CargoCutter.cutInto(twoTables(), wanted);
    assertThat(pieces).hasSize(wanted);
    assertThat(pieces.stream().flatMap(piece -> piece.tables().stream()))
        .extracting(TableChanges::insertedRowCount)
        .satisfies(
            rows ->
                assertThat(rows.stream().mapToLong(Long::longValue).sum())
                    .isEqualTo(2L * PAGES * PAGE));
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 16, 97})
  void cutsThroughPagesAndKindsOfChanges(int wanted) {
    int rows = 3_000;
    ChangeCargo whole =
        ChangeCargo.builder(new UUID(1, 1), 7)
            .table(
                "t",
                changes ->
                    changes
                        .insert("a", column(ColumnType.LONG, rows, true))
                        .insert("b", texts(rows))
                        .update("a", longs(rows), longs(rows))
                        .update("b", longs(rows), texts(rows)))
            .build();

    List<ChangeCargo> pieces = CargoCutter.cutInto(whole, wanted);

    assertThat(pieces).hasSize(wanted);
    assertThat(rows(pieces)).isEqualTo(rows(List.of(whole)));
    long mean = CargoSize.rawBytes(whole) / wanted;
    assertThat(pieces)
        .allSatisfy(each -> assertThat(CargoSize.rawBytes(each)).isBetween(mean / 2, mean * 2));
  }

  @Test
  void cutsIntoNoMorePiecesThanThereAreRows() {
    ChangeCargo whole =
        ChangeCargo.builder(new UUID(1, 1), 0)
            .table("u", changes -> changes.insert("c", column(ColumnType.INT, 3, false)))
            .build();
    assertThat(CargoCutter.cutInto(whole, 16)).hasSize(3);
  }

  @Test
  void knowsAboutHowLargeACargoIs() {
    assertThat(CargoCutter.typicalBytes(twoTables())).isEqualTo(2L * PAGES * PAGE * 4);
  }

  @Test
  void refusesToCutIntoNothing() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CargoCutter.cutInto(twoTables(), 0))
        .withMessage("0 pieces");
  }
}
