package io.drayage.bench.cargoes;

import io.drayage.cargo.ChangeCargo;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;

/**
 * A cargo of TPC-H rows: what the benchmark's refresh functions do, as one large load. A refresh
 * changes 0.1 % of the database; this changes about a third of it:
 *
 * <ul>
 *   <li>new orders, 25 % of the existing ones, with their line items, all columns, texts included
 *       (refresh function 1)
 *   <li>10 % of the existing orders, out of the open ones, are fulfilled: new {@code o_orderstatus}
 *       and {@code o_totalprice}; their open line items get {@code l_linestatus} and {@code
 *       l_receiptdate}, still null for a tenth; a third of their line items {@code l_extendedprice}
 *       and {@code l_discount}
 *   <li>the oldest 2 % of the existing orders are deleted, with their line items (refresh function
 *       2). What is deleted is not updated.
 * </ul>
 *
 * <p>The rows are those of TPC-H at 1.25 times the scale factor. The first four fifths exist and
 * are as many as at the scale factor itself; the rest is new. A row's number is its place in the
 * generator's order. The seed chooses what is updated and to what; the rows themselves do not
 * depend on it. One thread makes them.
 */
public final class TpchCargo implements CargoSource {
  /** The smallest scale factor: 15,000 orders exist. */
  public static final double MIN_SCALE_FACTOR = 0.01;

  /** The largest scale factor: 15 million orders exist. */
  public static final double MAX_SCALE_FACTOR = 10;

  /** Raw bytes of a cargo of scale factor 1, within 1 %; others in proportion. */
  public static final long BYTES_AT_SCALE_1 = 270_000_000;

  /** Bytes on the heap for one raw byte: a text costs an object and an array beside its letters. */
  private static final double HEAP_OVER_RAW = 1.5;

  /** The pool of texts that the generator needs while it runs. */
  private static final long GENERATOR_HEAP_BYTES = 400_000_000;

  private static final double ALL_OVER_EXISTING = 1.25;

  private static final MathContext FOUR_DIGITS = new MathContext(4);

  private final double scaleFactor;
  private final long seed;

  /**
   * @param scaleFactor of the existing rows, {@value #MIN_SCALE_FACTOR} to {@value
   *     #MAX_SCALE_FACTOR}
   * @throws IllegalArgumentException if the scale factor is outside its limits, naming them
   */
  public TpchCargo(double scaleFactor, long seed) {
    if (!(scaleFactor >= MIN_SCALE_FACTOR && scaleFactor <= MAX_SCALE_FACTOR)) {
      throw new IllegalArgumentException(
          "a scale factor of %s is outside the limits of %s and %s"
              .formatted(plain(scaleFactor), plain(MIN_SCALE_FACTOR), plain(MAX_SCALE_FACTOR)));
    }
    this.scaleFactor = scaleFactor;
    this.seed = seed;
  }

  /**
   * The cargo whose raw bytes come near to {@code sizeBytes}.
   *
   * @throws IllegalArgumentException if that is outside the sizes of the limits of the scale
   *     factor, naming them
   */
  public static TpchCargo ofSize(long sizeBytes, long seed) {
    long least = (long) (BYTES_AT_SCALE_1 * MIN_SCALE_FACTOR);
    long most = (long) (BYTES_AT_SCALE_1 * MAX_SCALE_FACTOR);
    if (sizeBytes < least || sizeBytes > most) {
      throw new IllegalArgumentException(
          "a tpch cargo of %,d bytes is outside the limits of %,d and %,d bytes"
              .formatted(sizeBytes, least, most));
    }
    return new TpchCargo((double) sizeBytes / BYTES_AT_SCALE_1, seed);
  }

  @Override
  public String describe() {
    return "tpch at scale factor %s, about %,d raw bytes (seed %d)"
        .formatted(plain(scaleFactor), rawBytesAbout(), seed);
  }

  @Override
  public List<BaseTable> baseTables() {
    long orders = TpchRows.orderCount(scaleFactor);
    return List.of(
        new BaseTable(TpchSchema.table(TpchSchema.ORDERS, TpchSchema.ORDER_FIELDS), orders),
        new BaseTable(
            TpchSchema.table(TpchSchema.LINEITEM, TpchSchema.LINEITEM_FIELDS),
            TpchRows.lineItemCount(orders)));
  }

  @Override
  public long heapBytes() {
    return (long) (rawBytesAbout() * HEAP_OVER_RAW);
  }

  @Override
  public long loadingHeapBytes() {
    return GENERATOR_HEAP_BYTES;
  }

  @Override
  public ChangeCargo load() {
    CargoSources.requireHeap(heapBytes() + loadingHeapBytes(), describe());
    List<BaseTable> existing = baseTables();
    TpchChanges changes =
        new TpchChanges(seed, existing.get(0).rowCount(), existing.get(1).rowCount());
    TpchRows.forEach(scaleFactor * ALL_OVER_EXISTING, changes);
    String identity = "tpch sf=%s seed=%d".formatted(scaleFactor, seed);
    UUID transactionId = UUID.nameUUIDFromBytes(identity.getBytes(StandardCharsets.UTF_8));
    ChangeCargo.Builder cargo = ChangeCargo.builder(transactionId, 0);
    changes.addTo(cargo);
    return cargo.build();
  }

  private long rawBytesAbout() {
    return (long) (BYTES_AT_SCALE_1 * scaleFactor);
  }

  private static String plain(double number) {
    return Double.isFinite(number)
        ? new BigDecimal(number, FOUR_DIGITS).stripTrailingZeros().toPlainString()
        : Double.toString(number);
  }
}
