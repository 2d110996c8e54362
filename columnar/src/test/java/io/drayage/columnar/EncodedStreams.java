package io.drayage.columnar;

import io.drayage.codec.Compressors;
import io.drayage.columnar.stream.ArrayValues;
import io.drayage.columnar.stream.BlockCompressor;
import io.drayage.columnar.stream.Encoding;
import io.drayage.columnar.stream.Kind;
import io.drayage.columnar.stream.Scheme;
import io.drayage.columnar.stream.Values;
import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Streams written in one encoding or another, for tests. */
final class EncodedStreams {
  /** The names of the encodings of values. */
  static final List<String> NAMES;

  /** Shared: what a codec writes depends on nothing that it wrote before. */
  static final StreamCodec CODEC = new StreamCodec(ColumnarOptions.DEFAULT, zstd());

  static {
    NAMES = CODEC.encodings().stream().map(Encoding::name).toList();
  }

  private EncodedStreams() {}

  static BlockCompressor zstd() {
    return new BlockCompressor(Compressors.ofName("zstd").atLevel(1));
  }

  static ByteBuffer buffer(int count) {
    return ByteBuffer.allocateDirect(4_096 + 24 * count).order(ByteOrder.LITTLE_ENDIAN);
  }

  static Encoding encoding(StreamCodec codec, String name) {
    return codec.encodings().stream().filter(e -> e.name().equals(name)).findAny().orElseThrow();
  }

  /** Writes values in this encoding, whether or not it suits them; null if it cannot. */
  static @Nullable Scheme write(StreamCodec codec, String name, Values values, ByteBuffer target) {
    Scheme scheme = scheme(codec, name, values);
    return codec.writeAs(encoding(codec, name), values, scheme, target);
  }

  /** How to write values, and others like them, in an encoding. */
  static Scheme scheme(StreamCodec codec, String name, Values values) {
    return estimates(ColumnarOptions.DEFAULT, codec, values).scheme(encoding(codec, name));
  }

  /** One that has estimated every encoding for values, even those that are no candidates. */
  static Chooser estimates(ColumnarOptions options, StreamCodec codec, Values values) {
    Chooser chooser = new Chooser(options, codec.encodings());
    chooser.estimateAll(values);
    return chooser;
  }

  /** Values of any kind, as bits. */
  static Values values(Kind kind, long[] bits) {
    if (kind.isWide()) {
      return new ArrayValues(kind, bits, bits.length);
    }
    int[] ints = new int[bits.length];
    for (int i = 0; i < ints.length; i++) {
      ints[i] = (int) bits[i];
    }
    return new ArrayValues(kind, ints, ints.length);
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

  /** Reads a stream; the bits of its values. */
  static long[] read(StreamCodec codec, ByteBuffer source, Kind kind, int count)
      throws ShipmentException {
    long[] bits = new long[count];
    int[] ints = new int[count];
    Values sink =
        kind.isWide() ? new ArrayValues(kind, bits, count) : new ArrayValues(kind, ints, count);
    codec.read(source, count, sink);
    for (int i = 0; i < count && !kind.isWide(); i++) {
      bits[i] = ints[i];
    }
    return bits;
  }

  /** A codec and a buffer, for stream after stream. */
  static final class BufferTrip {
    final StreamCodec codec;
    final ByteBuffer target;

    BufferTrip(int maxCount) {
      this(maxCount, CODEC);
    }

    BufferTrip(int maxCount, StreamCodec codec) {
      this.codec = codec;
      this.target = buffer(maxCount);
    }

    /** As {@link EncodedStreams#write}; the bytes are there until the next stream is written. */
    @Nullable ByteBuffer write(String encoding, Kind kind, long[] bits) {
      target.clear();
      Scheme tree = EncodedStreams.write(codec, encoding, values(kind, bits), target);
      return tree == null ? null : target.flip();
    }

    long[] read(ByteBuffer source, Kind kind, int count) throws ShipmentException {
      return EncodedStreams.read(codec, source, kind, count);
    }
  }
}
