package edu.rice.dmodel;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/** A customer of TPC-H, with its orders. Not thread-safe. */
public final class Customer implements Serializable {
  private static final long serialVersionUID = 1;

  @SuppressWarnings("serial") // An ArrayList.
  public List<Order> orders = new ArrayList<>();

  public int custkey;
  public String name = "";
  public String address = "";
  public int nationkey;
  public String phone = "";
  public double accbal;
  public String mktsegment = "";
  public String comment = "";
}
