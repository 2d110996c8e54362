package io.drayage.study.sikdar.form;

import edu.rice.dmodel.Customer;
import edu.rice.dmodel.LineItem;
import edu.rice.dmodel.Order;
import edu.rice.dmodel.Part;
import edu.rice.dmodel.Supplier;
import io.trino.tpch.CustomerGenerator;
import io.trino.tpch.Distributions;
import io.trino.tpch.GenerateUtils;
import io.trino.tpch.LineItemGenerator;
import io.trino.tpch.OrderGenerator;
import io.trino.tpch.PartGenerator;
import io.trino.tpch.SupplierGenerator;
import io.trino.tpch.TextPool;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * TPC-H's rows as nested objects. Line items share the objects of their parts and suppliers, as if
 * tables had been read. Each text is a separate object, as if read from a file. Java serialization
 * writes a repeated object as a reference.
 */
public final class Rows {
  /** Bytes of the pool from which texts are drawn, as in TPC-H's generator. */
  private static final int TEXT_POOL_BYTES = 300 << 20;

  private static final double SCALE_FACTOR = 0.1;
  private static final int SHORT_LINE_ITEMS = 60_000;
  private static final int SHORT_CUSTOMERS = 200;

  private final double scaleFactor;
  private final Distributions distributions = Distributions.getDefaultDistributions();
  private final TextPool texts;
  private final List<Part> parts = new ArrayList<>();
  private final List<Supplier> suppliers = new ArrayList<>();

  /** Makes all parts and suppliers. */
  Rows(double scaleFactor) {
    this(scaleFactor, TEXT_POOL_BYTES);
  }

  /** Makes rows with another pool of texts, and so with other texts. */
  Rows(double scaleFactor, int textPoolBytes) {
    texts = new TextPool(textPoolBytes, distributions);
    this.scaleFactor = scaleFactor;
    new PartGenerator(scaleFactor, 1, 1, distributions, texts).forEach(row -> parts.add(part(row)));
    new SupplierGenerator(scaleFactor, 1, 1, distributions, texts)
        .forEach(row -> suppliers.add(supplier(row)));
  }

  /**
   * Returns the objects of the experiments, which repeat them if they need more.
   *
   * @param isFull whether to return all objects, or as many as suit a short run
   */
  public static Map<ObjectKind, List<?>> distinct(boolean isFull) {
    Rows rows = new Rows(SCALE_FACTOR);
    return Map.of(
        ObjectKind.PART, rows.parts(),
        ObjectKind.LINE_ITEM, rows.lineItems(isFull ? Integer.MAX_VALUE : SHORT_LINE_ITEMS),
        ObjectKind.CUSTOMER, rows.customers(isFull ? Integer.MAX_VALUE : SHORT_CUSTOMERS));
  }

  public List<Part> parts() {
    return parts;
  }

  /** Returns the first {@code limit} line items, or all. */
  public List<LineItem> lineItems(int limit) {
    List<LineItem> lines = new ArrayList<>();
    for (io.trino.tpch.LineItem row : lineItemRows()) {
      if (lines.size() == limit) {
        break;
      }
      lines.add(lineItem(row));
    }
    return lines;
  }

  /** Returns the first {@code limit} customers, or all, with all their orders. */
  public List<Customer> customers(int limit) {
    Map<Long, Customer> customers = new LinkedHashMap<>();
    for (io.trino.tpch.Customer row :
        new CustomerGenerator(scaleFactor, 1, 1, distributions, texts)) {
      if (customers.size() == limit) {
        break;
      }
      customers.put(row.getCustomerKey(), customer(row));
    }
    Map<Long, Order> orders = new HashMap<>();
    for (io.trino.tpch.Order row : new OrderGenerator(scaleFactor, 1, 1, distributions, texts)) {
      Customer customer = customers.get(row.getCustomerKey());
      if (customer != null) {
        Order order = order(row);
        customer.orders.add(order);
        orders.put(row.getOrderKey(), order);
      }
    }
    for (io.trino.tpch.LineItem row : lineItemRows()) {
      Order order = orders.get(row.getOrderKey());
      if (order != null) {
        order.lineItems.add(lineItem(row));
      }
    }
    return List.copyOf(customers.values());
  }

  private LineItemGenerator lineItemRows() {
    return new LineItemGenerator(scaleFactor, 1, 1, distributions, texts);
  }

  // The generator shares texts between rows.
  @SuppressWarnings("StringOperationCanBeSimplified")
  private static String own(String text) {
    return new String(text);
  }

  private static Part part(io.trino.tpch.Part row) {
    Part part = new Part();
    part.partID = Math.toIntExact(row.getPartKey());
    part.name = own(row.getName());
    part.mfgr = own(row.getManufacturer());
    part.brand = own(row.getBrand());
    part.type = own(row.getType());
    part.size = row.getSize();
    part.container = own(row.getContainer());
    part.retailPrice = row.getRetailPrice();
    part.comment = own(row.getComment());
    return part;
  }

  private static Supplier supplier(io.trino.tpch.Supplier row) {
    Supplier supplier = new Supplier();
    supplier.supplierKey = Math.toIntExact(row.getSupplierKey());
    supplier.name = own(row.getName());
    supplier.address = own(row.getAddress());
    supplier.nationKey = Math.toIntExact(row.getNationKey());
    supplier.phone = own(row.getPhone());
    supplier.accbal = row.getAccountBalance();
    supplier.comment = own(row.getComment());
    return supplier;
  }

  private LineItem lineItem(io.trino.tpch.LineItem row) {
    LineItem line = new LineItem();
    line.orderKey = Math.toIntExact(row.getOrderKey());
    line.supplier = suppliers.get(Math.toIntExact(row.getSupplierKey()) - 1);
    line.part = parts.get(Math.toIntExact(row.getPartKey()) - 1);
    line.lineNumber = row.getLineNumber();
    line.quantity = row.getQuantity();
    line.extendedPrice = row.getExtendedPrice();
    line.discount = row.getDiscount();
    line.tax = row.getTax();
    line.returnFlag = own(row.getReturnFlag());
    line.lineStatus = own(row.getStatus());
    line.shipDate = own(GenerateUtils.formatDate(row.getShipDate()));
    line.commitDate = own(GenerateUtils.formatDate(row.getCommitDate()));
    line.receiptDate = own(GenerateUtils.formatDate(row.getReceiptDate()));
    line.shipinStruct = own(row.getShipInstructions());
    line.shipMode = own(row.getShipMode());
    line.comment = own(row.getComment());
    return line;
  }

  private static Order order(io.trino.tpch.Order row) {
    Order order = new Order();
    order.orderkey = Math.toIntExact(row.getOrderKey());
    order.custkey = Math.toIntExact(row.getCustomerKey());
    order.orderstatus = String.valueOf(row.getOrderStatus());
    order.totalprice = row.getTotalPrice();
    order.orderdate = own(GenerateUtils.formatDate(row.getOrderDate()));
    order.orderpriority = own(row.getOrderPriority());
    order.clerk = own(row.getClerk());
    order.shippriority = row.getShipPriority();
    order.comment = own(row.getComment());
    return order;
  }

  private static Customer customer(io.trino.tpch.Customer row) {
    Customer customer = new Customer();
    customer.custkey = Math.toIntExact(row.getCustomerKey());
    customer.name = own(row.getName());
    customer.address = own(row.getAddress());
    customer.nationkey = Math.toIntExact(row.getNationKey());
    customer.phone = own(row.getPhone());
    customer.accbal = row.getAccountBalance();
    customer.mktsegment = own(row.getMarketSegment());
    customer.comment = own(row.getComment());
    return customer;
  }
}
