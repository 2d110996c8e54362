package io.drayage.bench.cargoes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.CargoSize;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.TableChanges;
import io.drayage.database.InitialTable;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@Tag("ci")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TpchCargoTest {
  private static final double SCALE_FACTOR = TpchCargo.MIN_SCALE_FACTOR;
  private static final long SEED = SmallTpchCargo.SEED;

  private final TpchCargo source = SmallTpchCargo.SOURCE;
  private ChangeCargo cargo;
  private TableChanges orders;
  private TableChanges lineItems;

  @BeforeAll
  void loadOnce() {
    cargo = SmallTpchCargo.get();
    orders = cargo.tables().get(0);
    lineItems = cargo.tables().get(1);
  }

  @Test
  void existingRowsAreThoseOfTheScaleFactor() {
    assertThat(source.baseTables().stream().map(InitialTable::rows))
        .containsExactly(15_000L, 60_175L);
  }

  /** The counts of TPC-H 3.0, 4.2.5, and of its generator. */
  @Test
  void countsLineItemsWithoutGeneratingThem() {
    assertThat(TpchCargo.lineItemCount(TpchCargo.orderCount(1))).isEqualTo(6_001_215);
    assertThat(TpchCargo.lineItemCount(TpchCargo.orderCount(10))).isEqualTo(59_986_052);
  }

  @Test
  void everyInsertedLineItemHasItsOrderAndEveryOrderALineItem() {
    List<Object> orderKeys = values(inserted(orders, "o_orderkey"));
    List<Object> lineItemOrderKeys = values(inserted(lineItems, "l_orderkey"));

    assertThat(orderKeys).doesNotHaveDuplicates();
    assertThat(lineItemOrderKeys.stream().distinct()).containsExactlyElementsOf(orderKeys);
  }

  @Test
  void comesNearToTheBytesThatItAnnounces() {
    double announced = TpchCargo.BYTES_AT_SCALE_1 * SCALE_FACTOR;

    assertThat((double) CargoSize.rawBytes(cargo)).isCloseTo(announced, within(announced / 50));
  }

  @Test
  void sameSeedGivesTheSameCargoAndAnotherSeedOtherUpdates() {
    ChangeCargo other = new TpchCargo(SCALE_FACTOR, SEED + 1).load();

    assertThat(CargoDigest.of(cargo)).isEqualTo(0x18df_5ddf_eb53_7c3cL);
    assertThat(other.transactionId()).isNotEqualTo(cargo.transactionId());
    assertThat(CargoDigest.ofColumn(rowIds(other.tables().get(0), "o_orderstatus")))
        .isNotEqualTo(CargoDigest.ofColumn(rowIds(orders, "o_orderstatus")));
  }

  private static ColumnValues inserted(TableChanges table, String column) {
    return table.insertedColumns().stream()
        .filter(inserted -> inserted.column().equals(column))
        .findFirst()
        .orElseThrow()
        .values();
  }

  private static ColumnValues rowIds(TableChanges table, String column) {
    return table.updates().stream()
        .filter(update -> update.column().equals(column))
        .findFirst()
        .orElseThrow()
        .rowIds();
  }

  private static List<Object> values(ColumnValues column) {
    return LongStream.range(0, column.rowCount())
        .mapToObj(row -> Objects.requireNonNull(column.get(row)))
        .toList();
  }
}
