package io.drayage.cargo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class CargoCutterTest {
  private static final int ROWS_PER_PAGE = 64;
  private static final int PAGES = 40;

  private static ChangeCargo cargo() {
    ColumnValues numbers =
        ColumnValues.onDemand(
            ColumnType.INT,
            PAGES * ROWS_PER_PAGE,
            ROWS_PER_PAGE,
            page -> new int[ROWS_PER_PAGE],
            null);
    return ChangeCargo.builder(UUID.randomUUID(), 1)
        .table("a", table -> table.insert("n", numbers))
        .table("b", table -> table.insert("n", numbers))
        .build();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7, 16, 80})
  void cutsIntoAboutSoManyPieces(int wanted) {
    List<ChangeCargo> pieces = CargoCutter.cutInto(cargo(), wanted);
    assertThat(pieces).hasSizeBetween(wanted, wanted + wanted / 4 + 1);
    assertThat(pieces.stream().flatMap(piece -> piece.tables().stream()))
        .extracting(TableChanges::insertedRowCount)
        .satisfies(
            rows ->
                assertThat(rows.stream().mapToLong(Long::longValue).sum())
                    .isEqualTo(2L * PAGES * ROWS_PER_PAGE));
  }

  @Test
  void knowsAboutHowLargeACargoIs() {
    assertThat(CargoCutter.typicalBytes(cargo())).isEqualTo(2L * PAGES * ROWS_PER_PAGE * 4);
  }

  @Test
  void refusesToCutIntoNothing() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CargoCutter.cutInto(cargo(), 0))
        .withMessage("0 pieces");
  }
}
