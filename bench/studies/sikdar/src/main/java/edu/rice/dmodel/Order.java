package edu.rice.dmodel;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/** An order of TPC-H, with its line items. Not thread-safe. */
public final class Order implements Serializable {
  private static final long serialVersionUID = 1;

  @SuppressWarnings("serial") // An ArrayList.
  public List<LineItem> lineItems = new ArrayList<>();

  public int orderkey;
  public int custkey;
  public String orderstatus = "";
  public double totalprice;
  public String orderdate = "";
  public String orderpriority = "";
  public String clerk = "";
  public int shippriority;
  public String comment = "";
}
