package io.drayage.bench.columnar;

import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.codec.Compressors;
import io.drayage.codec.SegmentCompressor;
import io.drayage.codec.Serializers;
import io.drayage.columnar.ColumnarSegmentSerializer;
import io.drayage.frame.ShipmentException;
import io.drayage.segment.Part;
import io.drayage.segment.PartKind;
import io.drayage.segment.Segment;
import io.drayage.segment.SegmentSerializer;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How fast one core writes and reads segments of values of fixed width, beside raw values with and
 * without LZ4. 64 segments of 1 MiB take their turns, more than a cache holds. An operation is a
 * byte of raw values, so the score in operations a nanosecond is GB/s.
 *
 * <p>Values are such that the chooser takes the encoding that they are named for; with {@code
 * columnar} that is checked.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
public class ColumnSegments {
  private static final int BYTES = 1 << 20;
  private static final int SEGMENTS = 64;
  private static final int ROOM = BYTES + (64 << 10);

  /** A type and the encoding that its values are made for. */
  @Param({
    "LONG:FOR",
    "LONG:DELTA",
    "LONG:PFOR",
    "LONG:PDELTA",
    "LONG:RLE",
    "LONG:DICT",
    "LONG:RAW",
    "LONG:REPEAT",
    "INT:FOR",
    "INT:DELTA",
    "INT:PDELTA",
    "INT:RLE",
    "SHORT:NARROW",
    "SHORT:REPEAT",
    "BYTE:NARROW",
    "BYTE:RLE",
    "DOUBLE:ALP",
    "DOUBLE:RLE",
    "FLOAT:ALP"
  })
  public String values = "";

  /** A serializer, and a compressor behind it or none. */
  @Param({"columnar", "raw", "raw+lz4"})
  public String codec = "";

  private final ByteBuffer[] encoded = new ByteBuffer[SEGMENTS];
  private final int[] serializedBytes = new int[SEGMENTS];
  private final Segment[] segments = new Segment[SEGMENTS];
  private final ByteBuffer plain = direct();
  private SegmentSerializer serializer = Serializers.ofName("raw").newSegmentSerializer();
  private SegmentCompressor compressor = Compressors.ofName("lz4").newSegmentCompressor();
  private ColumnValues column = ColumnValues.allocate(ColumnType.LONG, 0, false);
  private ColumnValues read = column;
  private int next;

  private static ByteBuffer direct() {
    return ByteBuffer.allocateDirect(ROOM).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** One column of 64 segments. */
  @Setup
  public void prepare() throws ShipmentException {
    String[] parts = values.split(":", 2);
    ColumnType type = ColumnType.valueOf(parts[0]);
    int rows = BYTES / type.widthBytes();
    column = fill(type, parts[1], (long) rows * SEGMENTS);
    read = ColumnValues.allocate(type, column.rowCount(), false);
    serializer =
        Serializers.ofName(codec.equals("columnar") ? codec : "raw").newSegmentSerializer();
    Part part =
        new Part(
            0,
            "t",
            PartKind.INSERTED_VALUES,
            "c",
            type,
            false,
            column.rowCount(),
            (long) BYTES * SEGMENTS);
    for (int s = 0; s < SEGMENTS; s++) {
      segments[s] = new Segment(s, part, (long) s * rows, rows);
      encoded[s] = direct();
      encodeInto(s);
      decodeFrom(s);
    }
    if (serializer instanceof ColumnarSegmentSerializer columnar
        && !columnar.lastEncoding().replaceFirst("\\(.*", "").equals(parts[1])) {
      throw new IllegalStateException(
          "%s is written as %s".formatted(values, columnar.lastEncoding()));
    }
  }

  private static ColumnValues fill(ColumnType type, String encoding, long rows) {
    ColumnValues column = ColumnValues.allocate(type, rows, false);
    SplittableRandom random = new SplittableRandom(1);
    long before = 0;
    for (int page = 0; page < column.pageCount(); page++) {
      Object array = column.pageForWrite(page);
      for (int i = 0; i < column.rowsInPage(page); i++) {
        before = value(type, encoding, random, before);
        set(array, i, before);
      }
    }
    return column;
  }

  private static long value(
      ColumnType type, String encoding, SplittableRandom random, long before) {
    return switch (encoding) {
      case "FOR", "NARROW" -> random.nextInt(type == ColumnType.BYTE ? 16 : 1_000);
      case "REPEAT" -> (before + 7) % 52;
      case "ALP" -> random.nextInt(type == ColumnType.FLOAT ? 1_000 : 100_000);
      case "DELTA" -> before + random.nextInt(64);
      case "PFOR" -> random.nextInt(random.nextInt(100) == 0 ? Integer.MAX_VALUE : 1_000);
      case "PDELTA" -> before + (random.nextInt(100) == 0 ? random.nextInt(200) : 1);
      case "RLE" ->
          random.nextInt(type == ColumnType.BYTE ? 12 : 3) == 0
              ? random.nextInt(type == ColumnType.BYTE ? 100 : 1_000)
              : before;
      case "DICT" -> random.nextInt(1_000) * 0x9E3779B97F4A7C15L;
      default -> random.nextLong();
    };
  }

  private static void set(Object page, int i, long value) {
    if (page instanceof double[] doubles) {
      doubles[i] = value / 100.0;
    } else if (page instanceof float[] floats) {
      floats[i] = value / 10f;
    } else if (page instanceof long[] longs) {
      longs[i] = value;
    } else if (page instanceof int[] ints) {
      ints[i] = (int) value;
    } else if (page instanceof short[] shorts) {
      shorts[i] = (short) value;
    } else {
      Array.setByte(page, i, (byte) value);
    }
  }

  private boolean isCompressed() {
    return codec.endsWith("lz4");
  }

  private void encodeInto(int s) {
    ByteBuffer target = isCompressed() ? plain : encoded[s];
    serializer.serialize(segments[s], column, target.clear());
    target.flip();
    serializedBytes[s] = target.remaining();
    if (isCompressed()) {
      if (!compressor.compress(plain, encoded[s].clear())) {
        throw new IllegalStateException("a segment does not compress");
      }
      encoded[s].flip();
    }
  }

  private void decodeFrom(int s) throws ShipmentException {
    ByteBuffer source = encoded[s].duplicate().order(ByteOrder.LITTLE_ENDIAN);
    if (isCompressed()) {
      compressor.decompress(source, plain.clear().limit(serializedBytes[s]));
      source = plain.flip();
    }
    serializer.deserialize(segments[s], source, read);
  }

  /** One segment, from its pages to its bytes. */
  @Benchmark
  @OperationsPerInvocation(BYTES)
  public int encode() {
    next = (next + 1) % SEGMENTS;
    encodeInto(next);
    return encoded[next].remaining();
  }

  /** One segment, from its bytes to its pages. */
  @Benchmark
  @OperationsPerInvocation(BYTES)
  public Object decode() throws ShipmentException {
    next = (next + 1) % SEGMENTS;
    decodeFrom(next);
    return read;
  }
}
