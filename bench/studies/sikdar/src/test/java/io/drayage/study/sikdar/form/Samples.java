package io.drayage.study.sikdar.form;

/** Few objects, made once for all tests. */
public final class Samples {
  public static final Rows ROWS = new Rows(0.001, 5 << 20);

  private Samples() {}
}
