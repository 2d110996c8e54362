package io.drayage.bench.cargoes;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnValues;
import io.drayage.database.InitialTable;
import java.lang.reflect.Array;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

/**
 * A cargo of the published study's shape (its table 6.3), filled with retail planning data.
 *
 * <p>It has two tables. The larger has 27 changes for each kB of the size asked for, the smaller
 * one a hundredth of them. Half of the changes are inserted rows, half updated rows; there are no
 * deletes. A pair of them has twice {@value #BYTES_PER_CHANGE} raw bytes:
 *
 * <ul>
 *   <li>an inserted row 58: product 8, store 2, week 2, quantity, price, revenue and last year's
 *       revenue 8 each, stock and ordered 4 each, customers and shelf 2 each, discount and campaign
 *       1 each
 *   <li>an updated row 16: its id 8, and 8 for its new quantity or its new revenue
 * </ul>
 *
 * <p>The study has the numbers of changes and bytes and the sizes from its serializers and
 * compressors, but not the values. The values here were fitted to those sizes; {@code
 * docs/measuring.md} describes the method and its accuracy. Pages are allocated whole, so the last
 * page of a column has spare room, which only serializers of object graphs write.
 *
 * <p>The common pool fills the pages. A page depends on seed, table, column and page only.
 */
public final class ThesisCargo implements CargoSource {
  /** Raw bytes of an inserted and an updated row, on average. */
  public static final int BYTES_PER_CHANGE = 37;

  /** The smallest size: each table then has an insert and an update. */
  public static final long MIN_SIZE_BYTES = 10_000;

  /** The largest size: ten times the study's largest. */
  public static final long MAX_SIZE_BYTES = 1_000_000_000_000L;

  private static final int CHANGES_PER_KB = 27;
  private static final int LARGER_OVER_SMALLER = 100;

  private final long sizeBytes;
  private final long seed;
  private final List<PlanTable> tables;

  /**
   * @param sizeBytes the approximate size, {@value #MIN_SIZE_BYTES} to {@value #MAX_SIZE_BYTES}
   * @param seed determines values and row ids, but not their number
   * @throws IllegalArgumentException if the size is outside its limits; the message has the limits
   */
  public ThesisCargo(long sizeBytes, long seed) {
    if (sizeBytes < MIN_SIZE_BYTES || sizeBytes > MAX_SIZE_BYTES) {
      throw new IllegalArgumentException(
          format(
              "a thesis cargo of %,d bytes is outside the limits of %,d and %,d bytes",
              sizeBytes, MIN_SIZE_BYTES, MAX_SIZE_BYTES));
    }
    this.sizeBytes = sizeBytes;
    this.seed = seed;
    long changes = sizeBytes * CHANGES_PER_KB / 1000;
    this.tables =
        List.of(
            PlanTable.ofChanges(0, "sales_plan", changes),
            PlanTable.ofChanges(1, "stock_plan", changes / LARGER_OVER_SMALLER));
  }

  @Override
  public String describe() {
    return format(
        "thesis, %,d changes in 2 tables, %,d raw bytes (seed %d)", changes(), rawBytes(), seed);
  }

  @Override
  public List<InitialTable> baseTables() {
    return tables.stream().map(PlanTable::baseTable).toList();
  }

  @Override
  public long heapBytes() {
    return tables.stream().mapToLong(PlanTable::heapBytes).sum();
  }

  @Override
  public ChangeCargo load() {
    CargoSources.requireHeap(heapBytes(), describe());
    return cargo(
        (type, rows, pages) -> {
          Object[] made =
              (Object[]) Array.newInstance(type.pageClass(), (int) PlanTable.pages(rows));
          IntStream.range(0, made.length).parallel().forEach(page -> made[page] = pages.page(page));
          return ColumnValues.of(made, rows, null);
        });
  }

  @Override
  public ChangeCargo onDemand() {
    return cargo(
        (type, rows, pages) -> ColumnValues.onDemand(type, rows, PlanTable.ROWS_PER_PAGE, pages));
  }

  private ChangeCargo cargo(PlanTable.ColumnMaker maker) {
    String identity = format("thesis size=%d seed=%d", sizeBytes, seed);
    UUID transactionId = UUID.nameUUIDFromBytes(identity.getBytes(StandardCharsets.UTF_8));
    ChangeCargo.Builder cargo = ChangeCargo.builder(transactionId, 0);
    ProductCatalogue catalogue = new ProductCatalogue(seed);
    tables.forEach(table -> table.addTo(cargo, seed, catalogue, maker));
    return cargo.build();
  }

  /** Returns the inserted and updated rows of each table, the larger first. */
  List<PlanTable> tables() {
    return tables;
  }

  /** Returns the raw bytes, known before the cargo is made. */
  public long rawBytes() {
    return tables.stream().mapToLong(PlanTable::rawBytes).sum();
  }

  private long changes() {
    return tables.stream().mapToLong(PlanTable::changes).sum();
  }
}
