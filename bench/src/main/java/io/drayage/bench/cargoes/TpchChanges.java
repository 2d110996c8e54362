package io.drayage.bench.cargoes;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.RowBits;
import io.trino.tpch.LineItem;
import io.trino.tpch.Order;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Decides what happens to each order and its line items, and collects it: old orders are deleted,
 * some open ones fulfilled, those beyond the existing rows are new. See {@link TpchCargo}.
 */
final class TpchChanges implements TpchRows.Visitor {
  private static final int PURPOSE = 2;

  /** 48 of the 2,406 days of orders (1 January 1992 on): 2 % of them. */
  private static final int PURGED_BEFORE_DAY = 8_035 + 48;

  /** Of 1,000 open orders; as 51 % are open, 10 % of all. */
  private static final int FULFILLED_OF_1000_OPEN = 195;

  /** One line item in this many of a fulfilled order has a new price. */
  private static final int REPRICED_EVERY = 3;

  /** One line item in this many of a fulfilled order has no receipt yet. */
  private static final int NO_RECEIPT_EVERY = 10;

  private static final int MAX_REBATE_PERCENT = 10;

  private final SplittableRandom random;
  private final long existingOrders;
  private final RowBits deletedOrders;
  private final RowBits deletedLineItems;
  private final TpchInserts<Order> newOrders = new TpchInserts<>(TpchSchema.ORDER_FIELDS);
  private final TpchInserts<LineItem> newLineItems = new TpchInserts<>(TpchSchema.LINEITEM_FIELDS);
  private final TpchUpdates fulfilledOrders =
      new TpchUpdates(
          TpchSchema.ORDER_STATUS, ColumnType.STRING, TpchSchema.TOTAL_PRICE, ColumnType.DOUBLE);
  private final TpchUpdates repricedLineItems =
      new TpchUpdates(
          TpchSchema.EXTENDED_PRICE, ColumnType.DOUBLE, TpchSchema.DISCOUNT, ColumnType.DOUBLE);
  private final TpchUpdates deliveredLineItems =
      new TpchUpdates(
          TpchSchema.LINE_STATUS, ColumnType.STRING, TpchSchema.RECEIPT_DATE, ColumnType.INT);

  private long orderRow;
  private long lineItemRow;

  TpchChanges(long seed, long existingOrders, long existingLineItems) {
    this.random = PageSeeds.of(seed, PURPOSE);
    this.existingOrders = existingOrders;
    this.deletedOrders = new RowBits(existingOrders);
    this.deletedLineItems = new RowBits(existingLineItems);
  }

  @Override
  public void visit(Order order, List<LineItem> lineItems) {
    if (orderRow >= existingOrders) {
      newOrders.add(order);
      lineItems.forEach(newLineItems::add);
    } else if (order.getOrderDate() < PURGED_BEFORE_DAY) {
      delete(lineItems.size());
    } else if (order.getOrderStatus() != 'F' && random.nextInt(1_000) < FULFILLED_OF_1000_OPEN) {
      fulfil(order, lineItems);
    }
    orderRow++;
    lineItemRow += lineItems.size();
  }

  private void delete(int lineItems) {
    deletedOrders.set(orderRow);
    for (int i = 0; i < lineItems; i++) {
      deletedLineItems.set(lineItemRow + i);
    }
  }

  private void fulfil(Order order, List<LineItem> lineItems) {
    fulfilledOrders.addRow(orderRow);
    fulfilledOrders.first().addString(TpchSchema.FULFILLED);
    fulfilledOrders.second().addDouble(rebated(order.getTotalPriceInCents()));
    for (int i = 0; i < lineItems.size(); i++) {
      LineItem lineItem = lineItems.get(i);
      if (random.nextInt(REPRICED_EVERY) == 0) {
        reprice(lineItemRow + i, lineItem);
      }
      if (lineItem.getStatus().equals(TpchSchema.OPEN)) {
        deliver(lineItemRow + i, lineItem);
      }
    }
  }

  private void reprice(long row, LineItem lineItem) {
    repricedLineItems.addRow(row);
    repricedLineItems.first().addDouble(rebated(lineItem.getExtendedPriceInCents()));
    repricedLineItems.second().addDouble(random.nextInt(MAX_REBATE_PERCENT + 1) / 100.0);
  }

  private void deliver(long row, LineItem lineItem) {
    deliveredLineItems.addRow(row);
    deliveredLineItems.first().addString(TpchSchema.FULFILLED);
    if (random.nextInt(NO_RECEIPT_EVERY) == 0) {
      deliveredLineItems.second().addNull();
    } else {
      deliveredLineItems.second().addInt(lineItem.getReceiptDate());
    }
  }

  private double rebated(long cents) {
    long left = cents * (100 - random.nextInt(MAX_REBATE_PERCENT + 1)) / 100;
    return left / 100.0;
  }

  /** Adds both tables to the cargo; nothing may be visited afterwards. */
  void addTo(ChangeCargo.Builder cargo) {
    cargo.table(
        TpchSchema.ORDERS,
        orders -> {
          newOrders.addTo(orders);
          fulfilledOrders.addTo(orders);
          orders.delete(deletedOrders);
        });
    cargo.table(
        TpchSchema.LINEITEM,
        lineItems -> {
          newLineItems.addTo(lineItems);
          repricedLineItems.addTo(lineItems);
          deliveredLineItems.addTo(lineItems);
          lineItems.delete(deletedLineItems);
        });
  }
}
