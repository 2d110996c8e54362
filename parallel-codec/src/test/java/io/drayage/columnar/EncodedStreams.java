package io.drayage.columnar;

import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Streams written in one encoding or another, for tests. */
final class EncodedStreams {
  /** The encodings of values. */
  static final List<Encoding> OF_VALUES =
      Stream.of(Encoding.values()).filter(e -> e.id() < Encoding.EMPTY.id()).toList();

  private EncodedStreams() {}

  static ByteBuffer buffer(int count) {
    return ByteBuffer.allocateDirect(4_096 + 24 * count).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Values of any kind, as bits. */
  static Values values(Kind kind, long[] bits) {
    if (kind.isWide()) {
      return Values.of(kind, bits, bits.length);
    }
    int[] ints = new int[bits.length];
    for (int i = 0; i < ints.length; i++) {
      ints[i] = (int) bits[i];
    }
    return Values.of(kind, ints, ints.length);
  }

  /** The bits of the values that a shape has in a kind. */
  static long[] bits(Kind kind, Shape shape, int count, int width) {
    long[] bits = shape.longs(count, width);
    for (int i = 0; i < count; i++) {
      bits[i] =
          switch (kind) {
            case LONG -> bits[i];
            case INT -> (int) bits[i];
            case DOUBLE -> Double.doubleToRawLongBits((bits[i] >> 20) / 100.0);
            case FLOAT -> Float.floatToRawIntBits((int) (bits[i] >> 44) / 10f);
          };
    }
    return bits;
  }

  /** The stream in this encoding; null if it cannot be. */
  static @Nullable ByteBuffer write(Encoding encoding, Kind kind, long[] bits) {
    return new Trip(bits.length).write(encoding, kind, bits);
  }

  /** The bits of what is read. */
  static long[] read(ByteBuffer source, Kind kind, int count) throws ShipmentException {
    return new Trip(0).read(source, kind, count);
  }

  /** A writer, a reader and a buffer, for stream after stream. */
  static final class Trip {
    final ByteBuffer target;
    private final StreamWriter writer = new StreamWriter(0, ColumnarOptions.DEFAULT, new Words());
    private final StreamReader reader = new StreamReader(0, new Words());

    Trip(int maxCount) {
      this.target = buffer(maxCount);
    }

    /** As {@link EncodedStreams#write}; the bytes are there until the next stream is written. */
    @Nullable ByteBuffer write(Encoding encoding, Kind kind, long[] bits) {
      target.clear();
      return writer.writeAs(encoding, values(kind, bits), target) == null ? null : target.flip();
    }

    /** As {@link EncodedStreams#read}. */
    long[] read(ByteBuffer source, Kind kind, int count) throws ShipmentException {
      long[] bits = new long[count];
      if (kind.isWide()) {
        reader.read(source, count, Room.of(kind, bits));
        return bits;
      }
      int[] ints = new int[count];
      reader.read(source, count, Room.of(kind, ints));
      for (int i = 0; i < count; i++) {
        bits[i] = ints[i];
      }
      return bits;
    }
  }
}
