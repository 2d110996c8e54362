package edu.rice.dmodel;

import java.io.Serializable;

/** A filled slot of a vector. Not thread-safe. */
public final class Element implements Serializable {
  private static final long serialVersionUID = 1;

  public int position;
  public double value;
}
