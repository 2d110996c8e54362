package io.drayage.study.sikdar.form;

import edu.rice.dmodel.Customer;
import edu.rice.dmodel.Element;
import edu.rice.dmodel.LineItem;
import edu.rice.dmodel.Order;
import edu.rice.dmodel.Part;
import edu.rice.dmodel.Supplier;

/**
 * The fields of each class, one after the other, numbers first: the common part of all layouts made
 * by hand.
 */
final class Fields {
  private Fields() {}

  static void write(Part object, FieldWriter to) {
    to.putInt(object.partID);
    to.putInt(object.size);
    to.putDouble(object.retailPrice);
    to.putString(object.name);
    to.putString(object.mfgr);
    to.putString(object.brand);
    to.putString(object.type);
    to.putString(object.container);
    to.putString(object.comment);
  }

  static Part readPart(FieldReader from) {
    Part object = new Part();
    object.partID = from.getInt();
    object.size = from.getInt();
    object.retailPrice = from.getDouble();
    object.name = from.getString();
    object.mfgr = from.getString();
    object.brand = from.getString();
    object.type = from.getString();
    object.container = from.getString();
    object.comment = from.getString();
    return object;
  }

  static void write(Supplier object, FieldWriter to) {
    to.putInt(object.supplierKey);
    to.putInt(object.nationKey);
    to.putDouble(object.accbal);
    to.putString(object.name);
    to.putString(object.address);
    to.putString(object.phone);
    to.putString(object.comment);
  }

  static Supplier readSupplier(FieldReader from) {
    Supplier object = new Supplier();
    object.supplierKey = from.getInt();
    object.nationKey = from.getInt();
    object.accbal = from.getDouble();
    object.name = from.getString();
    object.address = from.getString();
    object.phone = from.getString();
    object.comment = from.getString();
    return object;
  }

  static void write(LineItem object, FieldWriter to) {
    to.putInt(object.orderKey);
    to.putInt(object.lineNumber);
    to.putDouble(object.quantity);
    to.putDouble(object.extendedPrice);
    to.putDouble(object.discount);
    to.putDouble(object.tax);
    to.putString(object.returnFlag);
    to.putString(object.lineStatus);
    to.putString(object.shipDate);
    to.putString(object.commitDate);
    to.putString(object.receiptDate);
    to.putString(object.shipinStruct);
    to.putString(object.shipMode);
    to.putString(object.comment);
    to.putObject(object.supplier, Supplier.class, Fields::write);
    to.putObject(object.part, Part.class, Fields::write);
  }

  static LineItem readLineItem(FieldReader from) {
    LineItem object = new LineItem();
    object.orderKey = from.getInt();
    object.lineNumber = from.getInt();
    object.quantity = from.getDouble();
    object.extendedPrice = from.getDouble();
    object.discount = from.getDouble();
    object.tax = from.getDouble();
    object.returnFlag = from.getString();
    object.lineStatus = from.getString();
    object.shipDate = from.getString();
    object.commitDate = from.getString();
    object.receiptDate = from.getString();
    object.shipinStruct = from.getString();
    object.shipMode = from.getString();
    object.comment = from.getString();
    object.supplier = from.getObject(Supplier.class, Fields::readSupplier);
    object.part = from.getObject(Part.class, Fields::readPart);
    return object;
  }

  static void write(Order object, FieldWriter to) {
    to.putInt(object.orderkey);
    to.putInt(object.custkey);
    to.putDouble(object.totalprice);
    to.putInt(object.shippriority);
    to.putString(object.orderstatus);
    to.putString(object.orderdate);
    to.putString(object.orderpriority);
    to.putString(object.clerk);
    to.putString(object.comment);
    to.putList(object.lineItems, LineItem.class, Fields::write);
  }

  static Order readOrder(FieldReader from) {
    Order object = new Order();
    object.orderkey = from.getInt();
    object.custkey = from.getInt();
    object.totalprice = from.getDouble();
    object.shippriority = from.getInt();
    object.orderstatus = from.getString();
    object.orderdate = from.getString();
    object.orderpriority = from.getString();
    object.clerk = from.getString();
    object.comment = from.getString();
    from.getList(object.lineItems, LineItem.class, Fields::readLineItem);
    return object;
  }

  static void write(Customer object, FieldWriter to) {
    to.putInt(object.custkey);
    to.putInt(object.nationkey);
    to.putDouble(object.accbal);
    to.putString(object.name);
    to.putString(object.address);
    to.putString(object.phone);
    to.putString(object.mktsegment);
    to.putString(object.comment);
    to.putList(object.orders, Order.class, Fields::write);
  }

  static Customer readCustomer(FieldReader from) {
    Customer object = new Customer();
    object.custkey = from.getInt();
    object.nationkey = from.getInt();
    object.accbal = from.getDouble();
    object.name = from.getString();
    object.address = from.getString();
    object.phone = from.getString();
    object.mktsegment = from.getString();
    object.comment = from.getString();
    from.getList(object.orders, Order.class, Fields::readOrder);
    return object;
  }

  static void write(Element object, FieldWriter to) {
    to.putInt(object.position);
    to.putDouble(object.value);
  }

  static Element readElement(FieldReader from) {
    Element object = new Element();
    object.position = from.getInt();
    object.value = from.getDouble();
    return object;
  }
}
