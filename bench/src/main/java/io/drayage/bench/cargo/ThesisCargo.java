package io.drayage.bench.cargo;

import io.drayage.cargo.ChangeCargo;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;

/**
 * A cargo of the published study's shape (its table 6.3), filled with retail planning data.
 *
 * <p>Two tables; the larger has 27 changes for each kB of the size asked for, the smaller one for a
 * hundred of those. Half of the changes are inserted rows, half updated rows; there are no deletes.
 * Each change takes exactly {@value #BYTES_PER_CHANGE} raw bytes:
 *
 * <ul>
 *   <li>an inserted row: id 8, product 4, store 2, day 2, quantity 4, price 8, cost 8, status 1
 *   <li>an updated row: quantity 4, price 8, status 1, and for each of the three a row id of 8.
 *       Each column has row ids of its own, in memory too: a serializer of object graphs would
 *       write a shared array once, and the study's output is never smaller than the raw values.
 * </ul>
 *
 * <p>The study tells the numbers of changes and bytes, but not the values; so ratios of compression
 * are of these values, not of its. Ids ascend with gaps, days come in runs and stores in shorter
 * ones, few products make most of the sales, prices are rounded to cents, quantities are small.
 *
 * <p>The common pool fills the pages; what a page holds depends on seed, table, column and page
 * only.
 */
public final class ThesisCargo implements CargoSource {
  /** Raw bytes of an inserted or an updated row. */
  public static final int BYTES_PER_CHANGE = 37;

  /** The least that may be asked for: each table then has an insert and an update. */
  public static final long MIN_SIZE_BYTES = 10_000;

  /** The most that may be asked for: ten times the study's largest. */
  public static final long MAX_SIZE_BYTES = 1_000_000_000_000L;

  private static final int CHANGES_PER_KB = 27;
  private static final int LARGER_OVER_SMALLER = 100;

  private final long sizeBytes;
  private final long seed;
  private final List<PlanTable> tables;

  /**
   * @param sizeBytes the size to come near to, {@value #MIN_SIZE_BYTES} to {@value #MAX_SIZE_BYTES}
   * @param seed another seed gives other values and row ids, but as many
   * @throws IllegalArgumentException if the size is outside its limits, naming them
   */
  public ThesisCargo(long sizeBytes, long seed) {
    if (sizeBytes < MIN_SIZE_BYTES || sizeBytes > MAX_SIZE_BYTES) {
      throw new IllegalArgumentException(
          "a thesis cargo of %,d bytes is outside the limits of %,d and %,d bytes"
              .formatted(sizeBytes, MIN_SIZE_BYTES, MAX_SIZE_BYTES));
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
    return "thesis, %,d changes in 2 tables, %,d raw bytes (seed %d)"
        .formatted(changes(), rawBytes(), seed);
  }

  @Override
  public List<BaseTable> baseTables() {
    return tables.stream().map(PlanTable::baseTable).toList();
  }

  @Override
  public long heapBytes() {
    return rawBytes();
  }

  @Override
  public ChangeCargo load() {
    HeapRoom.require(heapBytes(), describe());
    String identity = "thesis size=%d seed=%d".formatted(sizeBytes, seed);
    UUID transactionId = UUID.nameUUIDFromBytes(identity.getBytes(StandardCharsets.UTF_8));
    ChangeCargo.Builder cargo = ChangeCargo.builder(transactionId, 0);
    ProductCatalogue catalogue = new ProductCatalogue(seed);
    tables.forEach(table -> table.addTo(cargo, seed, catalogue));
    return cargo.build();
  }

  /** Inserted and updated rows of each table, the larger first. */
  List<PlanTable> tables() {
    return tables;
  }

  /** The raw bytes of the cargo, known before it is made. */
  public long rawBytes() {
    return changes() * BYTES_PER_CHANGE;
  }

  private long changes() {
    return tables.stream().mapToLong(PlanTable::changes).sum();
  }
}
