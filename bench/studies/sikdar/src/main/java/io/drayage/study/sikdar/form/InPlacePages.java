package io.drayage.study.sikdar.form;

import edu.rice.dmodel.Customer;
import edu.rice.dmodel.Element;
import edu.rice.dmodel.LineItem;
import edu.rice.dmodel.Order;
import edu.rice.dmodel.Part;
import edu.rice.dmodel.Supplier;
import java.nio.ByteBuffer;
import java.util.Map;

/**
 * Objects that exist only as bytes in a page: fields are read at their offset, and a move is a
 * copy. An entry is a view of the bytes, outside the heap.
 */
final class InPlacePages extends SlottedPages {
  /** Bytes of an object without its texts and lists, in the layout of {@link InPlaceRecord}. */
  static final Map<Class<?>, Integer> FIXED_BYTES =
      Map.of(
          Part.class, 2 * 4 + 8 + 6 * 8,
          Supplier.class, 2 * 4 + 8 + 4 * 8,
          LineItem.class, 2 * 4 + 4 * 8 + 8 * 8 + 2 * 4,
          Order.class, 3 * 4 + 8 + 5 * 8 + 8,
          Customer.class, 2 * 4 + 8 + 5 * 8 + 8,
          Element.class, 4 + 8);

  private static final int PART_PRICE = 8;
  private static final int LINE_ITEM_NUMBER = 4;
  private static final int LINE_ITEM_PART = 108;
  private static final int ORDER_LINES = 60;
  private static final int CUSTOMER_ORDERS = 56;
  private static final int ELEMENT_VALUE = 4;

  @Override
  public String name() {
    return "in place";
  }

  @Override
  public Object entryOf(ObjectKind kind, Object object) {
    return InPlaceRecord.write(kind, object);
  }

  @Override
  public long key(ObjectKind kind, Object entry) {
    ByteBuffer bytes = (ByteBuffer) entry;
    int first = bytes.getInt(0);
    return kind == ObjectKind.LINE_ITEM
        ? ObjectKind.lineItemKey(first, bytes.getInt(LINE_ITEM_NUMBER))
        : first;
  }

  @Override
  public double price(ObjectKind kind, Object entry) {
    ByteBuffer bytes = (ByteBuffer) entry;
    return switch (kind) {
      case PART -> bytes.getDouble(PART_PRICE);
      case LINE_ITEM -> linePrice(bytes, 0);
      case CUSTOMER -> customerPrice(bytes);
      case ELEMENT -> bytes.getDouble(ELEMENT_VALUE);
    };
  }

  private static double linePrice(ByteBuffer bytes, int line) {
    return bytes.getDouble(bytes.getInt(line + LINE_ITEM_PART) + PART_PRICE);
  }

  private static double customerPrice(ByteBuffer bytes) {
    double sum = 0;
    int orders = bytes.getInt(CUSTOMER_ORDERS);
    int orderCount = bytes.getInt(CUSTOMER_ORDERS + 4);
    for (int o = 0; o < orderCount; o++) {
      int order = bytes.getInt(orders + 4 * o);
      int lines = bytes.getInt(order + ORDER_LINES);
      int lineCount = bytes.getInt(order + ORDER_LINES + 4);
      for (int l = 0; l < lineCount; l++) {
        sum += linePrice(bytes, bytes.getInt(lines + 4 * l));
      }
    }
    return sum;
  }

  @Override
  ByteBuffer record(ObjectKind kind, Object entry) {
    return ((ByteBuffer) entry).duplicate();
  }

  @Override
  Object entry(ObjectKind kind, ByteBuffer record) {
    return record;
  }
}
