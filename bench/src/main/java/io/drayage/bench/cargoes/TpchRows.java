package io.drayage.bench.cargoes;

import com.google.common.collect.Iterators;
import com.google.common.collect.PeekingIterator;
import io.trino.tpch.Distributions;
import io.trino.tpch.LineItem;
import io.trino.tpch.LineItemGenerator;
import io.trino.tpch.Order;
import io.trino.tpch.OrderGenerator;
import io.trino.tpch.RandomBoundedInt;
import io.trino.tpch.TextPool;
import java.util.ArrayList;
import java.util.List;

/** The orders of TPC-H with their line items, in the generator's order. */
final class TpchRows {
  /** As in TPC-H's own generator. Not its shared instance, which would stay on the heap. */
  private static final int TEXT_POOL_BYTES = 300 << 20;

  /** Where the generator starts to draw how many line items an order has. */
  private static final long LINE_COUNT_SEED = 1_434_868_289L;

  private static final int MAX_LINE_COUNT = 7;

  private TpchRows() {}

  /** Takes the orders one after another. */
  interface Visitor {
    void visit(Order order, List<LineItem> lineItems);
  }

  /** How many orders there are at a scale factor. */
  static long orderCount(double scaleFactor) {
    return (long) (OrderGenerator.SCALE_BASE * scaleFactor);
  }

  /** How many line items the first orders have, without generating them. */
  static long lineItemCount(long orders) {
    RandomBoundedInt lineCount = new RandomBoundedInt(LINE_COUNT_SEED, 1, MAX_LINE_COUNT);
    long total = 0;
    for (long order = 0; order < orders; order++) {
      total += lineCount.nextValue();
      lineCount.rowFinished();
    }
    return total;
  }

  /** Generates all orders of a scale factor. The list of line items is reused. */
  static void forEach(double scaleFactor, Visitor visitor) {
    Distributions distributions = Distributions.getDefaultDistributions();
    TextPool texts = new TextPool(TEXT_POOL_BYTES, distributions);
    PeekingIterator<LineItem> lineItems =
        Iterators.peekingIterator(
            new LineItemGenerator(scaleFactor, 1, 1, distributions, texts).iterator());
    List<LineItem> ofOrder = new ArrayList<>(MAX_LINE_COUNT);
    for (Order order : new OrderGenerator(scaleFactor, 1, 1, distributions, texts)) {
      ofOrder.clear();
      while (lineItems.hasNext() && lineItems.peek().getOrderKey() == order.getOrderKey()) {
        ofOrder.add(lineItems.next());
      }
      visitor.visit(order, ofOrder);
    }
  }
}
