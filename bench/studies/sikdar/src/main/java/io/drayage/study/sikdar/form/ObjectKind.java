package io.drayage.study.sikdar.form;

import edu.rice.dmodel.Customer;
import edu.rice.dmodel.Element;
import edu.rice.dmodel.LineItem;
import edu.rice.dmodel.Order;
import edu.rice.dmodel.Part;

/** The classes whose objects are not nested in others. */
public enum ObjectKind {
  PART("Part", Part.class),
  LINE_ITEM("LineItem", LineItem.class),
  CUSTOMER("Customer", Customer.class),
  ELEMENT("Element", Element.class);

  private final String title;
  private final Class<?> type;

  ObjectKind(String title, Class<?> type) {
    this.title = title;
    this.type = type;
  }

  public String title() {
    return title;
  }

  Class<?> type() {
    return type;
  }

  void write(Object object, FieldWriter to) {
    switch (this) {
      case PART -> Fields.write((Part) object, to);
      case LINE_ITEM -> Fields.write((LineItem) object, to);
      case CUSTOMER -> Fields.write((Customer) object, to);
      case ELEMENT -> Fields.write((Element) object, to);
    }
  }

  Object read(FieldReader from) {
    return switch (this) {
      case PART -> Fields.readPart(from);
      case LINE_ITEM -> Fields.readLineItem(from);
      case CUSTOMER -> Fields.readCustomer(from);
      case ELEMENT -> Fields.readElement(from);
    };
  }

  /** Returns the key that identifies an object within its class, and orders objects. */
  public long key(Object object) {
    return switch (this) {
      case PART -> ((Part) object).partID;
      case LINE_ITEM -> lineItemKey(((LineItem) object).orderKey, ((LineItem) object).lineNumber);
      case CUSTOMER -> ((Customer) object).custkey;
      case ELEMENT -> ((Element) object).position;
    };
  }

  static long lineItemKey(int order, int line) {
    return (long) order << Integer.SIZE | line;
  }

  /** Returns the sum of the prices of all parts in an object, as a reader computes it. */
  public double price(Object object) {
    return switch (this) {
      case PART -> ((Part) object).retailPrice;
      case LINE_ITEM -> ((LineItem) object).part.retailPrice;
      case CUSTOMER -> price((Customer) object);
      case ELEMENT -> ((Element) object).value;
    };
  }

  private static double price(Customer customer) {
    double sum = 0;
    for (Order order : customer.orders) {
      for (LineItem line : order.lineItems) {
        sum += line.part.retailPrice;
      }
    }
    return sum;
  }
}
