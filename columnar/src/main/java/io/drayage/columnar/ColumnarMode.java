package io.drayage.columnar;

/** The rate of the link that encodings are chosen for, unless it is known. */
public enum ColumnarMode {
  /** No link to speak of: two processes of one machine, which copies about as fast. */
  FAST(10_000_000_000L),
  /** A link of 10 Gbit/s that four codec threads share. */
  BALANCED(312_500_000L),
  /** Bytes matter more than time: 100 Mbit/s for each codec thread. */
  DENSE(12_500_000L);

  private final long bytesPerSecond;

  ColumnarMode(long bytesPerSecond) {
    this.bytesPerSecond = bytesPerSecond;
  }

  /** A codec thread's share of the link that this mode is for. */
  public long bytesPerSecond() {
    return bytesPerSecond;
  }
}
