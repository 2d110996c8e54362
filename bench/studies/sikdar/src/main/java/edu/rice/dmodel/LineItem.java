package edu.rice.dmodel;

import java.io.Serializable;

/** A line item of TPC-H, with its supplier and its part. Not thread-safe. */
public final class LineItem implements Serializable {
  private static final long serialVersionUID = 1;

  public int orderKey;
  public Supplier supplier = new Supplier();
  public Part part = new Part();
  public int lineNumber;
  public double quantity;
  public double extendedPrice;
  public double discount;
  public double tax;
  public String returnFlag = "";
  public String lineStatus = "";
  public String shipDate = "";
  public String commitDate = "";
  public String receiptDate = "";
  public String shipinStruct = "";
  public String shipMode = "";
  public String comment = "";
}
