package io.drayage.baseline.stream;

import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Refuses to hand out more than a number of bytes: a small compressed stream may grow for ever. */
public final class LimitedInputStream extends FilterInputStream {
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
  public int read() throws IOException {
    int value = in.read();
    if (value >= 0) {
      charge(1);
    }
    return value;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    int bytes = in.read(target, offset, length);
    charge(Math.max(0, bytes));
    return bytes;
  }

  @Override
  public long skip(long count) throws IOException {
    long bytes = in.skip(count);
    charge(bytes);
    return bytes;
  }

  @Override
  public boolean markSupported() {
    return false;
  }

  private void charge(long bytes) throws IOException {
    leftBytes -= bytes;
    if (leftBytes < 0) {
      throw new ShipmentException(
          Fault.LIMIT, "the stream exceeds the limit of %,d bytes".formatted(limitBytes));
    }
  }
}
