package io.drayage.columnar;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.codec.BulkValues;
import io.drayage.codec.Compressors;
import io.drayage.columnar.stream.BlockCompressor;
import io.drayage.columnar.stream.Encoding;
import io.drayage.columnar.stream.Scheme;
import io.drayage.columnar.stream.Values;
import io.drayage.frame.ShipmentException;
import java.io.IOException;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Streams written in one encoding or another, for tests. */
final class EncodedStreams {
  /** The names of the encodings of values. */
  static final List<String> NAMES;

  /** The types of values; booleans are stored like bytes. */
  static final List<ColumnType> TYPES =
      List.of(
          ColumnType.BYTE,
          ColumnType.SHORT,
          ColumnType.INT,
          ColumnType.LONG,
          ColumnType.FLOAT,
          ColumnType.DOUBLE);

  /** One type of each kind. */
  static final List<ColumnType> KINDS =
      List.of(ColumnType.INT, ColumnType.LONG, ColumnType.FLOAT, ColumnType.DOUBLE);

  /** Shared, because the bytes of a codec do not depend on earlier ones. */
  static final StreamCodec CODEC = new StreamCodec(ColumnarOptions.DEFAULT, zstd());

  private static final Estimates ESTIMATES =
      new Estimates(ColumnarOptions.DEFAULT, CODEC.encodings());

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

  /** Returns the scheme for values, and for similar ones, in an encoding. */
  static Scheme scheme(StreamCodec codec, String name, Values values) {
    if (codec != CODEC) {
      return estimates(ColumnarOptions.DEFAULT, codec, values).scheme(encoding(codec, name));
    }
    return ESTIMATES.of(values).scheme(encoding(codec, name));
  }

  /** Estimates values in every encoding. */
  static Estimates estimates(ColumnarOptions options, StreamCodec codec, Values values) {
    return new Estimates(options, codec.encodings()).of(values);
  }

  /** Returns the bits of a shape's values in a column. */
  static long[] bits(ColumnType type, Shape shape, int count, int width) {
    long[] bits = shape.longs(count, width);
    for (int i = 0; i < count; i++) {
      bits[i] =
          switch (type) {
            case DOUBLE -> Double.doubleToRawLongBits((bits[i] >> 20) / 100.0);
            case FLOAT -> Float.floatToRawIntBits((int) (bits[i] >> 44) / 10f);
            default -> bits[i];
          };
    }
    return cast(type, bits);
  }

  /** Converts bits to the bits of a column's type. */
  static long[] cast(ColumnType type, long[] bits) {
    for (int i = 0; i < bits.length; i++) {
      bits[i] =
          switch (type) {
            case BOOLEAN -> bits[i] & 1;
            case BYTE -> (byte) bits[i];
            case SHORT -> (short) bits[i];
            case INT, FLOAT -> (int) bits[i];
            default -> bits[i];
          };
    }
    return bits;
  }

  /** The values of a column, by their bits. */
  static ColumnRows rows(ColumnType type, long[] bits) {
    ColumnRows rows = rows(type, bits.length);
    if (rows.kind().isWide()) {
      rows.store(0, bits.length, bits);
    } else {
      rows.store(0, bits.length, LongStream.of(bits).mapToInt(value -> (int) value).toArray());
    }
    return rows;
  }

  private static ColumnRows rows(ColumnType type, int count) {
    return rows(ColumnValues.allocate(type, count, false));
  }

  /** All rows of a column. */
  static ColumnRows rows(ColumnValues column) {
    return new ColumnRows(column, 0, (int) column.rowCount(), null, new BulkValues());
  }

  /** Writes a value, in hundredths for decimals; {@code Integer.MIN_VALUE} is no decimal. */
  static void set(ColumnValues column, int row, int value) {
    Object page = column.pageForWrite(column.pageOf(row));
    int at = column.offsetOf(row);
    boolean none = value == Integer.MIN_VALUE;
    switch (column.type()) {
      case BOOLEAN -> Array.setBoolean(page, at, (value & 1) != 0);
      case BYTE -> Array.setByte(page, at, (byte) value);
      case SHORT -> Array.setShort(page, at, (short) value);
      case INT -> Array.setInt(page, at, value);
      case LONG -> Array.setLong(page, at, value);
      case FLOAT -> Array.setFloat(page, at, none ? -0f : value / 100f);
      default -> Array.setDouble(page, at, none ? Double.NaN : value / 100.0);
    }
  }

  /** Reads a stream into a column, and returns the bits of its values. */
  static long[] read(StreamCodec codec, ByteBuffer source, ColumnType type, int count)
      throws ShipmentException {
    ColumnRows rows = rows(type, count);
    codec.read(source, count, rows);
    long[] bits = new long[count];
    rows.loadLongs(0, count, bits, 0, new int[count]);
    return bits;
  }

  /** Checks that a column survives any encoding; null if the encoding cannot write it. */
  static @Nullable Scheme assertSurvives(String encoding, ColumnValues column, String what)
      throws ShipmentException {
    ByteBuffer bytes = buffer((int) column.rowCount());
    Scheme tree = write(CODEC, encoding, rows(column), bytes);
    if (tree != null) {
      assertRead(bytes, column, what);
    }
    return tree;
  }

  /** Reads a written column, and checks that it is equal, bit for bit. */
  static void assertRead(ByteBuffer bytes, ColumnValues column, String what)
      throws ShipmentException {
    int count = (int) column.rowCount();
    ColumnValues read = ColumnValues.allocate(column.type(), count, false);
    Scheme tree = CODEC.read(bytes.flip(), count, rows(read));
    assertThat(bytes.hasRemaining()).isFalse();
    assertThat(CargoDigest.ofColumn(read))
        .as("%s: %s", what, tree)
        .isEqualTo(CargoDigest.ofColumn(column));
  }

  /** Returns the bytes of a golden file. A missing file is written on request. */
  static byte[] golden(String name, ByteBuffer now) throws IOException {
    Path folder = Path.of("src", "test", "resources", "golden", "columnar");
    Path file = folder.resolve(name.toLowerCase(Locale.ROOT));
    if (Boolean.getBoolean("drayage.golden.write") && !Files.exists(file)) {
      byte[] bytes = new byte[now.remaining()];
      now.get(bytes);
      Files.write(file, bytes);
    }
    assertThat(file).as("write it as the comment of this class says").exists();
    return Files.readAllBytes(file);
  }

  /** A codec and a buffer for any number of streams. */
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

    /** Writes the values of a column; the bytes are valid until the next stream is written. */
    @Nullable ByteBuffer write(String encoding, ColumnType type, long[] bits) {
      target.clear();
      Scheme tree = EncodedStreams.write(codec, encoding, rows(type, bits), target);
      return tree == null ? null : target.flip();
    }

    long[] read(ByteBuffer source, ColumnType type, int count) throws ShipmentException {
      return EncodedStreams.read(codec, source, type, count);
    }
  }
}
