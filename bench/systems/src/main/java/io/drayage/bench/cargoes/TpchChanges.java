package io.drayage.bench.cargoes;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnBuilder;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.RowBits;
import io.trino.tpch.LineItem;
import io.trino.tpch.Order;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Decides the change of each order and its line items, and collects it: old orders are deleted,
 * some open ones fulfilled, those beyond the existing rows are new. See {@link TpchCargo}.
 */
final class TpchChanges {
  private static final int PURPOSE = 2;

  /** 48 of the 2,406 days of orders (1 January 1992 on): 2 % of them. */
  private static final int PURGED_BEFORE_DAY = 8_035 + 48;

  /** Fulfilled orders of 1,000 open ones; 51 % are open, so these are 10 % of all. */
  private static final int FULFILLED_OF_1000_OPEN = 195;

  /** The distance of line items of a fulfilled order that have a new price. */
  private static final int REPRICED_EVERY = 3;

  /** The distance of line items of a fulfilled order that have no receipt yet. */
  private static final int NO_RECEIPT_EVERY = 10;

  private static final int MAX_REBATE_PERCENT = 10;

  private final SplittableRandom random;
  private final long existingOrders;
  private final RowBits deletedOrders;
  private final RowBits deletedLineItems;
  private final Inserts<Order> newOrders = new Inserts<>(TpchSchema.ORDER_FIELDS);
  private final Inserts<LineItem> newLineItems = new Inserts<>(TpchSchema.LINEITEM_FIELDS);
  private final PairedUpdates fulfilledOrders =
      new PairedUpdates(
          TpchSchema.ORDER_STATUS, ColumnType.STRING, TpchSchema.TOTAL_PRICE, ColumnType.DOUBLE);
  private final PairedUpdates repricedLineItems =
      new PairedUpdates(
          TpchSchema.EXTENDED_PRICE, ColumnType.DOUBLE, TpchSchema.DISCOUNT, ColumnType.DOUBLE);
  private final PairedUpdates deliveredLineItems =
      new PairedUpdates(
          TpchSchema.LINE_STATUS, ColumnType.STRING, TpchSchema.RECEIPT_DATE, ColumnType.INT);

  private long orderRow;
  private long lineItemRow;

  TpchChanges(long seed, long existingOrders, long existingLineItems) {
    this.random = PageSeeds.of(seed, PURPOSE);
    this.existingOrders = existingOrders;
    this.deletedOrders = new RowBits(existingOrders);
    this.deletedLineItems = new RowBits(existingLineItems);
  }

  /** Visits the next order in the generator's order. */
  void visit(Order order, List<LineItem> lineItems) {
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
    fulfilledOrders.first.addString(TpchSchema.FULFILLED);
    fulfilledOrders.second.addDouble(rebated(order.getTotalPriceInCents()));
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
    repricedLineItems.first.addDouble(rebated(lineItem.getExtendedPriceInCents()));
    repricedLineItems.second.addDouble(random.nextInt(MAX_REBATE_PERCENT + 1) / 100.0);
  }

  private void deliver(long row, LineItem lineItem) {
    deliveredLineItems.addRow(row);
    deliveredLineItems.first.addString(TpchSchema.FULFILLED);
    if (random.nextInt(NO_RECEIPT_EVERY) == 0) {
      deliveredLineItems.second.addNull();
    } else {
      deliveredLineItems.second.addInt(lineItem.getReceiptDate());
    }
  }

  private double rebated(long cents) {
    long left = cents * (100 - random.nextInt(MAX_REBATE_PERCENT + 1)) / 100;
    return left / 100.0;
  }

  /** Adds both tables to the cargo. No order may be visited afterwards. */
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

  /**
   * The rows that the cargo inserts into one table.
   *
   * @param <R> the generator's row
   */
  private static final class Inserts<R> {
    private final List<TpchSchema.Field<R>> fields;
    private final List<ColumnBuilder> builders;

    Inserts(List<TpchSchema.Field<R>> fields) {
      this.fields = fields;
      this.builders =
          fields.stream().map(field -> new ColumnBuilder(field.column().type())).toList();
    }

    void add(R row) {
      for (int i = 0; i < builders.size(); i++) {
        fields.get(i).fill().accept(builders.get(i), row);
      }
    }

    void addTo(ChangeCargo.TableChangesBuilder changes) {
      for (int i = 0; i < builders.size(); i++) {
        changes.insert(fields.get(i).column().name(), builders.get(i).build());
      }
    }
  }

  /** The updates of two columns that always change together: they share their row ids. */
  private static final class PairedUpdates {
    private final String firstColumn;
    private final String secondColumn;
    private final ColumnBuilder rowIds = new ColumnBuilder(ColumnType.LONG);
    private final ColumnBuilder first;
    private final ColumnBuilder second;

    PairedUpdates(
        String firstColumn, ColumnType firstType, String secondColumn, ColumnType secondType) {
      this.firstColumn = firstColumn;
      this.secondColumn = secondColumn;
      this.first = new ColumnBuilder(firstType);
      this.second = new ColumnBuilder(secondType);
    }

    /** Starts the update of a row with a larger number than all before; both values must follow. */
    void addRow(long row) {
      rowIds.addLong(row);
    }

    void addTo(ChangeCargo.TableChangesBuilder changes) {
      ColumnValues ids = rowIds.build();
      changes.update(firstColumn, ids, first.build());
      changes.update(secondColumn, ids, second.build());
    }
  }
}
