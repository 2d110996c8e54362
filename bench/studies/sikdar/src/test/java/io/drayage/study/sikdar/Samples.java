package io.drayage.study.sikdar;

/** Few objects, made once for all tests. */
final class Samples {
  static final Rows ROWS = new Rows(0.001, 5 << 20);

  private Samples() {}
}
