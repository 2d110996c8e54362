package io.drayage.bench.cargoes;

import io.drayage.cargo.ColumnBuilder;
import io.drayage.cargo.ColumnSchema;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.TableSchema;
import io.trino.tpch.LineItem;
import io.trino.tpch.Order;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * The tables {@code orders} and {@code lineitem} of TPC-H (specification 3.0, 1.4.1) as columns:
 * keys are longs, money and rates doubles, dates days since 1970, the rest text.
 *
 * <p>Two columns may be null here although TPC-H has a value. {@code l_receiptdate} is null while
 * the line item is open, because a database does not know the future. {@code l_shipinstruct} is
 * null for {@code NONE}.
 */
final class TpchSchema {
  static final String ORDERS = "orders";
  static final String LINEITEM = "lineitem";
  static final String ORDER_STATUS = "o_orderstatus";
  static final String TOTAL_PRICE = "o_totalprice";
  static final String EXTENDED_PRICE = "l_extendedprice";
  static final String DISCOUNT = "l_discount";
  static final String LINE_STATUS = "l_linestatus";
  static final String RECEIPT_DATE = "l_receiptdate";

  /** The status of a line item that was not shipped yet, and of its order. */
  static final String OPEN = "O";

  /** The status of a delivered line item, and of its order. */
  static final String FULFILLED = "F";

  private static final String NO_INSTRUCTION = "NONE";

  static final List<Field<Order>> ORDER_FIELDS =
      List.of(
          field("o_orderkey", ColumnType.LONG, (to, o) -> to.addLong(o.getOrderKey())),
          field("o_custkey", ColumnType.LONG, (to, o) -> to.addLong(o.getCustomerKey())),
          field(ORDER_STATUS, ColumnType.STRING, (to, o) -> to.addString("" + o.getOrderStatus())),
          field(TOTAL_PRICE, ColumnType.DOUBLE, (to, o) -> to.addDouble(o.getTotalPrice())),
          field("o_orderdate", ColumnType.INT, (to, o) -> to.addInt(o.getOrderDate())),
          field(
              "o_orderpriority", ColumnType.STRING, (to, o) -> to.addString(o.getOrderPriority())),
          field("o_clerk", ColumnType.STRING, (to, o) -> to.addString(o.getClerk())),
          field("o_shippriority", ColumnType.INT, (to, o) -> to.addInt(o.getShipPriority())),
          field("o_comment", ColumnType.STRING, (to, o) -> to.addString(o.getComment())));

  static final List<Field<LineItem>> LINEITEM_FIELDS =
      List.of(
          field("l_orderkey", ColumnType.LONG, (to, l) -> to.addLong(l.getOrderKey())),
          field("l_partkey", ColumnType.LONG, (to, l) -> to.addLong(l.getPartKey())),
          field("l_suppkey", ColumnType.LONG, (to, l) -> to.addLong(l.getSupplierKey())),
          field("l_linenumber", ColumnType.INT, (to, l) -> to.addInt(l.getLineNumber())),
          field("l_quantity", ColumnType.INT, (to, l) -> to.addInt((int) l.getQuantity())),
          field(EXTENDED_PRICE, ColumnType.DOUBLE, (to, l) -> to.addDouble(l.getExtendedPrice())),
          field(DISCOUNT, ColumnType.DOUBLE, (to, l) -> to.addDouble(l.getDiscount())),
          field("l_tax", ColumnType.DOUBLE, (to, l) -> to.addDouble(l.getTax())),
          field("l_returnflag", ColumnType.STRING, (to, l) -> to.addString(l.getReturnFlag())),
          field(LINE_STATUS, ColumnType.STRING, (to, l) -> to.addString(l.getStatus())),
          field("l_shipdate", ColumnType.INT, (to, l) -> to.addInt(l.getShipDate())),
          field("l_commitdate", ColumnType.INT, (to, l) -> to.addInt(l.getCommitDate())),
          nullable(RECEIPT_DATE, ColumnType.INT, TpchSchema::addReceiptDate),
          nullable("l_shipinstruct", ColumnType.STRING, TpchSchema::addShipInstructions),
          field("l_shipmode", ColumnType.STRING, (to, l) -> to.addString(l.getShipMode())),
          field("l_comment", ColumnType.STRING, (to, l) -> to.addString(l.getComment())));

  private TpchSchema() {}

  /**
   * A column, and the function that fills it from a generated row.
   *
   * @param <R> the generator's row
   */
  record Field<R>(ColumnSchema column, BiConsumer<ColumnBuilder, R> fill) {}

  private static void addReceiptDate(ColumnBuilder to, LineItem line) {
    if (line.getStatus().equals(OPEN)) {
      to.addNull();
    } else {
      to.addInt(line.getReceiptDate());
    }
  }

  private static void addShipInstructions(ColumnBuilder to, LineItem line) {
    String instructions = line.getShipInstructions();
    to.addString(instructions.equals(NO_INSTRUCTION) ? null : instructions);
  }

  static <R> TableSchema table(String name, List<Field<R>> fields) {
    return new TableSchema(name, fields.stream().map(Field::column).toList());
  }

  private static <R> Field<R> field(
      String name, ColumnType type, BiConsumer<ColumnBuilder, R> fill) {
    return new Field<>(new ColumnSchema(name, type, false), fill);
  }

  private static <R> Field<R> nullable(
      String name, ColumnType type, BiConsumer<ColumnBuilder, R> fill) {
    return new Field<>(new ColumnSchema(name, type, true), fill);
  }
}
