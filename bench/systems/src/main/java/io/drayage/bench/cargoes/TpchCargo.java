package io.drayage.bench.cargoes;

import static io.drayage.internal.Texts.format;

import com.google.common.collect.Iterators;
import com.google.common.collect.PeekingIterator;
import io.drayage.cargo.ChangeCargo;
import io.drayage.database.InitialTable;
import io.trino.tpch.Distributions;
import io.trino.tpch.LineItem;
import io.trino.tpch.LineItemGenerator;
import io.trino.tpch.Order;
import io.trino.tpch.OrderGenerator;
import io.trino.tpch.RandomBoundedInt;
import io.trino.tpch.TextPool;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.BiConsumer;

/**
 * A cargo of TPC-H rows, like the benchmark's refresh functions, but as one large load. A refresh
 * changes 0.1 % of the database; this cargo changes about a third of it:
 *
 * <ul>
 *   <li>new orders, 25 % of the existing ones, with their line items, all columns, texts included
 *       (refresh function 1)
 *   <li>10 % of the existing orders, out of the open ones, are fulfilled: new {@code o_orderstatus}
 *       and {@code o_totalprice}; their open line items get {@code l_linestatus} and {@code
 *       l_receiptdate}, still null for a tenth; a third of their line items {@code l_extendedprice}
 *       and {@code l_discount}
 *   <li>the oldest 2 % of the existing orders are deleted, with their line items (refresh function
 *       2). Deleted rows are not updated.
 * </ul>
 *
 * <p>The rows are those of TPC-H at 1.25 times the scale factor. The first four fifths exist and
 * are as many as at the scale factor itself; the rest is new. A row's number is its place in the
 * generator's order. The seed determines the updates, not the rows themselves. One thread makes
 * them.
 */
public final class TpchCargo implements CargoSource {
  /** The smallest scale factor: 15,000 orders exist. */
  public static final double MIN_SCALE_FACTOR = 0.01;

  /** The largest scale factor: 15 million orders exist. */
  public static final double MAX_SCALE_FACTOR = 10;

  /** Raw bytes of a cargo of scale factor 1, within 1 %; others in proportion. */
  public static final long BYTES_AT_SCALE_1 = 270_000_000;

  /**
   * Heap bytes for one raw byte: in a system with strings, a text needs an object and an array
   * besides its letters.
   */
  private static final double HEAP_OVER_RAW = 1.5;

  /** The pool of texts that the generator needs while it runs. */
  private static final long GENERATOR_HEAP_BYTES = 400_000_000;

  /** The size in TPC-H's own generator. Its shared instance would stay on the heap. */
  private static final int TEXT_POOL_BYTES = 300 << 20;

  /** The seed of the generator for the numbers of line items of orders. */
  private static final long LINE_COUNT_SEED = 1_434_868_289L;

  private static final int MAX_LINE_COUNT = 7;

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
   * Returns a cargo of about {@code sizeBytes} raw bytes.
   *
   * @throws IllegalArgumentException if the scale factor would be outside its limits; the message
   *     has the sizes
   */
  public static TpchCargo ofSize(long sizeBytes, long seed) {
    long least = (long) (BYTES_AT_SCALE_1 * MIN_SCALE_FACTOR);
    long most = (long) (BYTES_AT_SCALE_1 * MAX_SCALE_FACTOR);
    if (sizeBytes < least || sizeBytes > most) {
      throw new IllegalArgumentException(
          format(
              "a tpch cargo of %,d bytes is outside the limits of %,d and %,d bytes",
              sizeBytes, least, most));
    }
    return new TpchCargo((double) sizeBytes / BYTES_AT_SCALE_1, seed);
  }

  @Override
  public String describe() {
    return format(
        "tpch at scale factor %s, about %,d raw bytes (seed %d)",
        plain(scaleFactor), rawBytesAbout(), seed);
  }

  @Override
  public List<InitialTable> baseTables() {
    long orders = orderCount(scaleFactor);
    return List.of(
        new InitialTable(TpchSchema.table(TpchSchema.ORDERS, TpchSchema.ORDER_FIELDS), orders),
        new InitialTable(
            TpchSchema.table(TpchSchema.LINEITEM, TpchSchema.LINEITEM_FIELDS),
            lineItemCount(orders)));
  }

  /** Number of orders at a scale factor. */
  static long orderCount(double scaleFactor) {
    return (long) (OrderGenerator.SCALE_BASE * scaleFactor);
  }

  /** Number of line items of the first orders, computed without generating them. */
  static long lineItemCount(long orders) {
    RandomBoundedInt lineCount = new RandomBoundedInt(LINE_COUNT_SEED, 1, MAX_LINE_COUNT);
    long total = 0;
    for (long order = 0; order < orders; order++) {
      total += lineCount.nextValue();
      lineCount.rowFinished();
    }
    return total;
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
    long orders = orderCount(scaleFactor);
    TpchChanges changes = new TpchChanges(seed, orders, lineItemCount(orders));
    generate(changes::visit);
    String identity = format("tpch sf=%s seed=%d", scaleFactor, seed);
    UUID transactionId = UUID.nameUUIDFromBytes(identity.getBytes(StandardCharsets.UTF_8));
    ChangeCargo.Builder cargo = ChangeCargo.builder(transactionId, 0);
    changes.addTo(cargo);
    return cargo.build();
  }

  /** Visits all orders in the generator's order, each with its line items; the list is reused. */
  private void generate(BiConsumer<Order, List<LineItem>> visitor) {
    double all = scaleFactor * ALL_OVER_EXISTING;
    Distributions distributions = Distributions.getDefaultDistributions();
    TextPool texts = new TextPool(TEXT_POOL_BYTES, distributions);
    PeekingIterator<LineItem> lineItems =
        Iterators.peekingIterator(
            new LineItemGenerator(all, 1, 1, distributions, texts).iterator());
    List<LineItem> ofOrder = new ArrayList<>(MAX_LINE_COUNT);
    for (Order order : new OrderGenerator(all, 1, 1, distributions, texts)) {
      ofOrder.clear();
      while (lineItems.hasNext() && lineItems.peek().getOrderKey() == order.getOrderKey()) {
        ofOrder.add(lineItems.next());
      }
      visitor.accept(order, ofOrder);
    }
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
