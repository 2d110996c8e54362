package io.drayage.baseline.stream;

import static io.drayage.internal.Texts.format;

import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import java.io.IOException;
import java.io.InputStream;

/** Refuses to hand out more than a number of bytes: a small compressed stream may grow for ever. */
public final class LimitedInputStream extends CountedInputStream {
  private final long limitBytes;
  private long leftBytes;

  public LimitedInputStream(InputStream in, long limitBytes) {
    super(in);
    this.limitBytes = limitBytes;
    this.leftBytes = limitBytes;
  }

  /**
   * The most that the stream of a cargo may have which takes {@code maxCargoBytes}: half as much
   * again, for headers and lengths and what values of variable length add.
   */
  public static LimitedInputStream ofCargo(InputStream in, long maxCargoBytes) {
    long overhead = Math.min(maxCargoBytes / 2, Long.MAX_VALUE - maxCargoBytes);
    return new LimitedInputStream(in, maxCargoBytes + overhead);
  }

  @Override
  void count(long bytes) throws IOException {
    leftBytes -= bytes;
    if (leftBytes < 0) {
      throw new ShipmentException(
          Fault.LIMIT, format("the stream exceeds the limit of %,d bytes", limitBytes));
    }
  }
}
