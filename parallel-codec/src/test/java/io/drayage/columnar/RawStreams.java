package io.drayage.columnar;

import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;

/** Integers as they are, behind their number: for tests of what stands around them. */
final class RawStreams implements IntegerStreams {
  @Override
  public void writeInts(int[] values, int count, ByteBuffer target) {
    target.putInt(count);
    for (int i = 0; i < count; i++) {
      target.putInt(values[i]);
    }
  }

  @Override
  public void writeLongs(long[] values, int count, ByteBuffer target) {
    target.putInt(count);
    for (int i = 0; i < count; i++) {
      target.putLong(values[i]);
    }
  }

  @Override
  public void readInts(ByteBuffer source, int count, int[] target) throws ShipmentException {
    require(source, count, Integer.BYTES);
    for (int i = 0; i < count; i++) {
      target[i] = source.getInt();
    }
  }

  @Override
  public void readLongs(ByteBuffer source, int count, long[] target) throws ShipmentException {
    require(source, count, Long.BYTES);
    for (int i = 0; i < count; i++) {
      target[i] = source.getLong();
    }
  }

  private static void require(ByteBuffer source, int count, int width) throws ShipmentException {
    if (source.remaining() < Integer.BYTES
        || source.getInt() != count
        || source.remaining() < (long) count * width) {
      throw new ShipmentException(Fault.DECODE, "no %,d integers".formatted(count));
    }
  }
}
