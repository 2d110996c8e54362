package io.drayage.study.sikdar.form;

import com.google.protobuf.InvalidProtocolBufferException;
import edu.rice.dmodel.Customer;
import edu.rice.dmodel.Element;
import edu.rice.dmodel.LineItem;
import edu.rice.dmodel.Order;
import edu.rice.dmodel.Part;
import edu.rice.dmodel.Supplier;
import io.drayage.study.sikdar.proto.Messages.CustomerP;
import io.drayage.study.sikdar.proto.Messages.ElementP;
import io.drayage.study.sikdar.proto.Messages.LineItemP;
import io.drayage.study.sikdar.proto.Messages.OrderP;
import io.drayage.study.sikdar.proto.Messages.PartP;
import io.drayage.study.sikdar.proto.Messages.SupplierP;

/**
 * Protocol Buffers, version 2 of the language: objects are copied to and from generated messages.
 */
final class ProtobufCodec implements ObjectCodec {
  @Override
  public String name() {
    return "protobuf";
  }

  @Override
  public byte[] write(ObjectKind kind, Object object) {
    return switch (kind) {
      case PART -> message((Part) object).toByteArray();
      case LINE_ITEM -> message((LineItem) object).toByteArray();
      case CUSTOMER -> message((Customer) object).toByteArray();
      case ELEMENT -> message((Element) object).toByteArray();
    };
  }

  @Override
  public Object read(ObjectKind kind, byte[] bytes) throws InvalidProtocolBufferException {
    return switch (kind) {
      case PART -> object(PartP.parseFrom(bytes));
      case LINE_ITEM -> object(LineItemP.parseFrom(bytes));
      case CUSTOMER -> object(CustomerP.parseFrom(bytes));
      case ELEMENT -> object(ElementP.parseFrom(bytes));
    };
  }

  private static PartP message(Part object) {
    return PartP.newBuilder()
        .setPartID(object.partID)
        .setName(object.name)
        .setMfgr(object.mfgr)
        .setBrand(object.brand)
        .setType(object.type)
        .setSize(object.size)
        .setContainer(object.container)
        .setRetailPrice(object.retailPrice)
        .setComment(object.comment)
        .build();
  }

  private static Part object(PartP message) {
    Part object = new Part();
    object.partID = message.getPartID();
    object.name = message.getName();
    object.mfgr = message.getMfgr();
    object.brand = message.getBrand();
    object.type = message.getType();
    object.size = message.getSize();
    object.container = message.getContainer();
    object.retailPrice = message.getRetailPrice();
    object.comment = message.getComment();
    return object;
  }

  private static SupplierP message(Supplier object) {
    return SupplierP.newBuilder()
        .setSupplierKey(object.supplierKey)
        .setName(object.name)
        .setAddress(object.address)
        .setNationKey(object.nationKey)
        .setPhone(object.phone)
        .setAccbal(object.accbal)
        .setComment(object.comment)
        .build();
  }

  private static Supplier object(SupplierP message) {
    Supplier object = new Supplier();
    object.supplierKey = message.getSupplierKey();
    object.name = message.getName();
    object.address = message.getAddress();
    object.nationKey = message.getNationKey();
    object.phone = message.getPhone();
    object.accbal = message.getAccbal();
    object.comment = message.getComment();
    return object;
  }

  private static LineItemP message(LineItem object) {
    return LineItemP.newBuilder()
        .setOrderKey(object.orderKey)
        .setSupplier(message(object.supplier))
        .setPart(message(object.part))
        .setLineNumber(object.lineNumber)
        .setQuantity(object.quantity)
        .setExtendedPrice(object.extendedPrice)
        .setDiscount(object.discount)
        .setTax(object.tax)
        .setReturnFlag(object.returnFlag)
        .setLineStatus(object.lineStatus)
        .setShipDate(object.shipDate)
        .setCommitDate(object.commitDate)
        .setReceiptDate(object.receiptDate)
        .setShipinStruct(object.shipinStruct)
        .setShipMode(object.shipMode)
        .setComment(object.comment)
        .build();
  }

  private static LineItem object(LineItemP message) {
    LineItem object = new LineItem();
    object.orderKey = message.getOrderKey();
    object.supplier = object(message.getSupplier());
    object.part = object(message.getPart());
    object.lineNumber = message.getLineNumber();
    object.quantity = message.getQuantity();
    object.extendedPrice = message.getExtendedPrice();
    object.discount = message.getDiscount();
    object.tax = message.getTax();
    object.returnFlag = message.getReturnFlag();
    object.lineStatus = message.getLineStatus();
    object.shipDate = message.getShipDate();
    object.commitDate = message.getCommitDate();
    object.receiptDate = message.getReceiptDate();
    object.shipinStruct = message.getShipinStruct();
    object.shipMode = message.getShipMode();
    object.comment = message.getComment();
    return object;
  }

  private static OrderP message(Order object) {
    OrderP.Builder builder =
        OrderP.newBuilder()
            .setOrderkey(object.orderkey)
            .setCustkey(object.custkey)
            .setOrderstatus(object.orderstatus)
            .setTotalprice(object.totalprice)
            .setOrderdate(object.orderdate)
            .setOrderpriority(object.orderpriority)
            .setClerk(object.clerk)
            .setShippriority(object.shippriority)
            .setComment(object.comment);
    for (LineItem each : object.lineItems) {
      builder.addLineItems(message(each));
    }
    return builder.build();
  }

  private static Order object(OrderP message) {
    Order object = new Order();
    for (LineItemP each : message.getLineItemsList()) {
      object.lineItems.add(object(each));
    }
    object.orderkey = message.getOrderkey();
    object.custkey = message.getCustkey();
    object.orderstatus = message.getOrderstatus();
    object.totalprice = message.getTotalprice();
    object.orderdate = message.getOrderdate();
    object.orderpriority = message.getOrderpriority();
    object.clerk = message.getClerk();
    object.shippriority = message.getShippriority();
    object.comment = message.getComment();
    return object;
  }

  private static CustomerP message(Customer object) {
    CustomerP.Builder builder =
        CustomerP.newBuilder()
            .setCustkey(object.custkey)
            .setName(object.name)
            .setAddress(object.address)
            .setNationkey(object.nationkey)
            .setPhone(object.phone)
            .setAccbal(object.accbal)
            .setMktsegment(object.mktsegment)
            .setComment(object.comment);
    for (Order each : object.orders) {
      builder.addOrders(message(each));
    }
    return builder.build();
  }

  private static Customer object(CustomerP message) {
    Customer object = new Customer();
    for (OrderP each : message.getOrdersList()) {
      object.orders.add(object(each));
    }
    object.custkey = message.getCustkey();
    object.name = message.getName();
    object.address = message.getAddress();
    object.nationkey = message.getNationkey();
    object.phone = message.getPhone();
    object.accbal = message.getAccbal();
    object.mktsegment = message.getMktsegment();
    object.comment = message.getComment();
    return object;
  }

  private static ElementP message(Element object) {
    return ElementP.newBuilder().setPosition(object.position).setValue(object.value).build();
  }

  private static Element object(ElementP message) {
    Element object = new Element();
    object.position = message.getPosition();
    object.value = message.getValue();
    return object;
  }
}
