package io.drayage.bench.cargoes;

import static io.drayage.testing.Refusals.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.CargoSize;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnUpdates;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.InsertedColumn;
import io.drayage.cargo.TableChanges;
import io.drayage.database.InitialTable;
import java.io.IOException;
import java.lang.reflect.Array;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ThesisCargoTest {
  private static final Path INPUT_SIZES =
      Path.of("..", "..", "docs", "published", "input_sizes.csv");
  private static final long SEED = 42;
  private static final long SMALL_BYTES = 12_000_000;

  @ParameterizedTest
  @CsvSource({"100MB, 100000000", "1GB, 1000000000", "10GB, 10000000000", "100GB, 100000000000"})
  void comesWithinOnePercentOfThePublishedSizeAndHasItsChanges(String target, long sizeBytes)
      throws IOException {
    String[] published = publishedRow(target);
    ThesisCargo source = new ThesisCargo(sizeBytes, SEED);

    double publishedBytes = Double.parseDouble(published[1]) * 1e6;
    assertThat((double) source.rawBytes()).isCloseTo(publishedBytes, within(publishedBytes / 100));
    assertThat(source.tables().get(0).changes()).isEqualTo(Long.parseLong(published[2]));
    // The published smaller table of 100 GB has a thousandth, all others a hundredth.
    if (!target.equals("100GB")) {
      assertThat(source.tables().get(1).changes()).isEqualTo(Long.parseLong(published[3]));
    }
  }

  private static String[] publishedRow(String target) throws IOException {
    return Files.readAllLines(INPUT_SIZES).stream()
        .map(line -> line.split(",", -1))
        .filter(cells -> cells[0].equals(target))
        .findFirst()
        .orElseThrow();
  }

  @ParameterizedTest
  @ValueSource(longs = {10_000, 100_000, SMALL_BYTES})
  void makesOnDemandWhatItLoads(long sizeBytes) {
    ThesisCargo source = new ThesisCargo(sizeBytes, SEED);
    ChangeCargo onDemand = source.onDemand();

    ChangeCargo loaded = source.load();
    assertThat(CargoDigest.of(onDemand)).isEqualTo(CargoDigest.of(loaded));
    assertThat(CargoSize.rawBytes(loaded)).isEqualTo(source.rawBytes());
    assertThat(onDemand.transactionId()).isEqualTo(loaded.transactionId());
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 42, -7, Long.MIN_VALUE})
  void updatesDistinctRowsOfTheInitialTableInOrder(long seed) {
    ThesisCargo source = new ThesisCargo(SMALL_BYTES, seed);
    ChangeCargo cargo = source.load();

    for (int t = 0; t < 2; t++) {
      long rowCount = source.baseTables().get(t).rows();
      for (ColumnUpdates update : cargo.tables().get(t).updates()) {
        assertAscending(update.rowIds(), rowCount, "seed " + seed);
      }
    }
  }

  private static void assertAscending(ColumnValues rowIds, long rowCount, String message) {
    long before = -1;
    for (int page = 0; page < rowIds.pageCount(); page++) {
      long[] ids = (long[]) rowIds.page(page);
      for (int i = 0; i < rowIds.rowsInPage(page); i++) {
        long id = ids[i];
        assertThat(id).as(message).isGreaterThan(before).isLessThan(rowCount);
        before = id;
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {100_000_000L, 100_000_000_000L})
  void rowIdsAreAsLongInEverySizeOfCargo(long sizeBytes) {
    InitialTable base = new ThesisCargo(sizeBytes, SEED).baseTables().get(0);

    assertThat(PlanTable.FIRST_UPDATED_ROW).isGreaterThan(1L << 32);
    assertThat(base.rows()).isGreaterThan(PlanTable.FIRST_UPDATED_ROW).isLessThan(1L << 34);
  }

  @Test
  void lastPageOfEveryColumnHasRoomToTheEnd() {
    ThesisCargo source = new ThesisCargo(SMALL_BYTES, SEED);
    ChangeCargo cargo = source.load();
    long heapBytes = 0;
    for (TableChanges table : cargo.tables()) {
      for (InsertedColumn inserted : table.insertedColumns()) {
        heapBytes += wholePagesBytes(inserted.values());
      }
      for (ColumnUpdates update : table.updates()) {
        heapBytes += wholePagesBytes(update.rowIds()) + wholePagesBytes(update.values());
      }
    }
    assertThat(source.heapBytes()).isEqualTo(heapBytes).isGreaterThan(source.rawBytes());
  }

  private static long wholePagesBytes(ColumnValues values) {
    int last = values.pageCount() - 1;
    assertThat(Array.getLength(values.page(last))).isEqualTo(ColumnValues.DEFAULT_ROWS_PER_PAGE);
    assertThat(Array.get(values.page(last), ColumnValues.DEFAULT_ROWS_PER_PAGE - 1))
        .asString()
        .matches("0(\\.0)?");
    return (long) values.pageCount()
        * ColumnValues.DEFAULT_ROWS_PER_PAGE
        * values.type().widthBytes();
  }

  @Test
  void sameSeedGivesTheSameCargoOnAnyNumberOfThreads() throws Exception {
    long expected = 0x8178_e6ab_dcda_c976L;
    assertThat(CargoDigest.of(new ThesisCargo(SMALL_BYTES, SEED).load())).isEqualTo(expected);

    ForkJoinPool oneThread = new ForkJoinPool(1);
    try {
      ChangeCargo cargo = oneThread.submit(() -> new ThesisCargo(SMALL_BYTES, SEED).load()).get();
      assertThat(CargoDigest.of(cargo)).isEqualTo(expected);
    } finally {
      oneThread.shutdown();
    }
  }

  @Test
  void anotherSeedOrSizeGivesAnotherCargoAndTransaction() {
    ChangeCargo cargo = new ThesisCargo(SMALL_BYTES, SEED).load();
    ChangeCargo otherSeed = new ThesisCargo(SMALL_BYTES, SEED + 1).load();
    ChangeCargo otherSize = new ThesisCargo(SMALL_BYTES + 1_000, SEED).load();

    assertThat(CargoDigest.of(otherSeed)).isNotEqualTo(CargoDigest.of(cargo));
    assertThat(otherSeed.transactionId()).isNotEqualTo(cargo.transactionId());
    assertThat(otherSize.transactionId()).isNotEqualTo(cargo.transactionId());
    assertThat(CargoDigest.ofColumn(otherSeed.tables().get(0).updates().get(0).rowIds()))
        .isNotEqualTo(CargoDigest.ofColumn(cargo.tables().get(0).updates().get(0).rowIds()));
  }

  @Test
  void loadsTheSmallestSizeAndRefusesOneBelow() {
    ChangeCargo smallest = new ThesisCargo(ThesisCargo.MIN_SIZE_BYTES, SEED).load();

    assertThat(smallest.tables().get(1).insertedRowCount()).isOne();
    assertThatThrownBy(() -> new ThesisCargo(ThesisCargo.MIN_SIZE_BYTES - 1, SEED))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("9,999")
        .hasMessageContaining("10,000");
  }

  @Test
  void refusesACargoThatTheHeapCannotHold() {
    ThesisCargo source = new ThesisCargo(ThesisCargo.MAX_SIZE_BYTES, SEED);

    assertFails(source::load, IllegalStateException.class, "-Xmx");
  }
}
