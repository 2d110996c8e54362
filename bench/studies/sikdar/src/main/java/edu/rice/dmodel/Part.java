package edu.rice.dmodel;

import java.io.Serializable;

/** A part of TPC-H. Not thread-safe. */
public final class Part implements Serializable {
  private static final long serialVersionUID = 1;

  public int partID;
  public String name = "";
  public String mfgr = "";
  public String brand = "";
  public String type = "";
  public int size;
  public String container = "";
  public double retailPrice;
  public String comment = "";
}
