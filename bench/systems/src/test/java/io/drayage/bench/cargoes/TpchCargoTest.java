package io.drayage.bench.cargoes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.CargoSize;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnSchema;
import io.drayage.cargo.ColumnUpdates;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.InsertedColumn;
import io.drayage.cargo.RowBits;
import io.drayage.cargo.TableChanges;
import io.drayage.database.InitialTable;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
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
  void insertsAQuarterOfTheExistingOrdersAndTheirLineItems() {
    assertThat(orders.insertedRowCount()).isEqualTo(3_750);
    assertThat(lineItems.insertedRowCount())
        .isEqualTo(TpchCargo.lineItemCount(18_750) - TpchCargo.lineItemCount(15_000));
  }

  @Test
  void everyInsertedLineItemHasItsOrderAndEveryOrderALineItem() {
    List<Object> orderKeys = values(inserted(orders, "o_orderkey"));
    List<Object> lineItemOrderKeys = values(inserted(lineItems, "l_orderkey"));

    assertThat(orderKeys).doesNotHaveDuplicates();
    assertThat(lineItemOrderKeys.stream().distinct()).containsExactlyElementsOf(orderKeys);
  }

  @Test
  void updatesATenthAndDeletesAFiftiethOfTheExistingOrders() {
    assertThat((double) rowIds(orders, "o_orderstatus").rowCount()).isCloseTo(1_500, within(150.0));
    assertThat((double) deleted(orders).cardinality()).isCloseTo(300, within(60.0));
  }

  @Test
  void updatesDistinctExistingRowsThatAreNotDeleted() {
    for (int t = 0; t < 2; t++) {
      TableChanges table = cargo.tables().get(t);
      long rowCount = source.baseTables().get(t).rows();
      assertThat(deleted(table).size()).isEqualTo(rowCount);
      for (ColumnUpdates update : table.updates()) {
        long before = -1;
        for (Object value : values(update.rowIds())) {
          long row = (Long) value;
          assertThat(row).isGreaterThan(before).isLessThan(rowCount);
          assertThat(deleted(table).get(row)).as("row %d is deleted", row).isFalse();
          before = row;
        }
      }
    }
  }

  @Test
  void deletesWholeOrders() {
    long deletedLineItems =
        LongStream.range(0, 15_000)
            .filter(deleted(orders)::get)
            .map(row -> TpchCargo.lineItemCount(row + 1) - TpchCargo.lineItemCount(row))
            .sum();

    assertThat(deleted(lineItems).cardinality()).isEqualTo(deletedLineItems);
  }

  @Test
  void receiptDateIsNullWhereTheLineItemIsOpen() {
    ColumnValues status = inserted(lineItems, "l_linestatus");
    ColumnValues receipt = inserted(lineItems, "l_receiptdate");

    Map<Object, Long> nullsByStatus =
        LongStream.range(0, status.rowCount())
            .filter(receipt::isNull)
            .mapToObj(status::get)
            .collect(Collectors.groupingBy(Objects::requireNonNull, Collectors.counting()));
    long open = values(status).stream().filter("O"::equals).count();
    assertThat(open).isBetween(1L, status.rowCount() - 1);
    assertThat(nullsByStatus).isEqualTo(Map.of("O", open));
  }

  @Test
  void onlyColumnsDeclaredNullableHoldNulls() {
    for (int t = 0; t < 2; t++) {
      Map<String, ColumnSchema> columns =
          source.baseTables().get(t).schema().columns().stream()
              .collect(Collectors.toMap(ColumnSchema::name, Function.identity()));
      TableChanges table = cargo.tables().get(t);
      assertThat(table.insertedColumns().stream().map(InsertedColumn::column))
          .containsExactlyInAnyOrderElementsOf(columns.keySet());
      table
          .insertedColumns()
          .forEach(inserted -> assertFits(inserted.values(), columns.get(inserted.column())));
      table.updates().forEach(update -> assertFits(update.values(), columns.get(update.column())));
    }
  }

  private static void assertFits(ColumnValues values, ColumnSchema column) {
    assertThat(values.type()).as(column.name()).isEqualTo(column.type());
    boolean hasNull = LongStream.range(0, values.rowCount()).anyMatch(values::isNull);
    assertThat(hasNull).as(column.name()).isEqualTo(column.nullable());
  }

  @Test
  void datesAreDaysSince1970() {
    // 1992-01-01 to 1998-08-02, the range of order dates that TPC-H prescribes
    assertThat(values(inserted(orders, "o_orderdate")))
        .allSatisfy(day -> assertThat((Integer) day).isBetween(8_035, 10_440));
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

  @Test
  void refusesAScaleFactorOutsideItsLimits() {
    for (double scaleFactor : new double[] {0.0099, 10.1, 0, -1, Double.NaN}) {
      assertThatThrownBy(() -> new TpchCargo(scaleFactor, SEED))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("0.01")
          .hasMessageContaining("10");
    }
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

  private static RowBits deleted(TableChanges table) {
    return Objects.requireNonNull(table.deletedRows());
  }

  private static List<Object> values(ColumnValues column) {
    return LongStream.range(0, column.rowCount())
        .mapToObj(row -> Objects.requireNonNull(column.get(row)))
        .toList();
  }
}
