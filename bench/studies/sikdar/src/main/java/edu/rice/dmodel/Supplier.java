package edu.rice.dmodel;

import java.io.Serializable;

/** A supplier of TPC-H. Not thread-safe. */
public final class Supplier implements Serializable {
  private static final long serialVersionUID = 1;

  public int supplierKey;
  public String name = "";
  public String address = "";
  public int nationKey;
  public String phone = "";
  public double accbal;
  public String comment = "";
}
