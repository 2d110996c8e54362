package io.drayage.columnar;

/** The rate of the link for which encodings are chosen, unless the rate is known. */
public enum ColumnarMode {
  /** No real link: two processes of one machine, with about the rate of copying memory. */
  FAST(10_000_000_000L),
  /** A link of 10 Gbit/s that four codec threads share. */
  BALANCED(312_500_000L),
  /** Bytes matter more than time: 100 Mbit/s for each codec thread. */
  DENSE(12_500_000L);

  private final long bytesPerSecond;

  ColumnarMode(long bytesPerSecond) {
    this.bytesPerSecond = bytesPerSecond;
  }

  /** A codec thread's share of the link for this mode, in bytes a second. */
  public long bytesPerSecond() {
    return bytesPerSecond;
  }
}
