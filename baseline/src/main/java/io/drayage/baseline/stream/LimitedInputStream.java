package io.drayage.baseline.stream;

import static io.drayage.internal.Texts.format;

import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import java.io.IOException;
import java.io.InputStream;

/** Limits the bytes that are read, because a small compressed stream may grow without end. */
public final class LimitedInputStream extends CountedInputStream {
  private final long limitBytes;
  private long leftBytes;

  public LimitedInputStream(InputStream in, long limitBytes) {
    super(in);
    this.limitBytes = limitBytes;
    this.leftBytes = limitBytes;
  }

  /**
   * Returns a stream with the limit for a cargo of {@code maxCargoBytes}: half as much again, for
   * headers, lengths and values of variable length.
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
