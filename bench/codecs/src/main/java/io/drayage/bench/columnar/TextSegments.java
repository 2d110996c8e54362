package io.drayage.bench.columnar;

import io.drayage.cargo.CargoSize;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.codec.Compressors;
import io.drayage.codec.SegmentCompressor;
import io.drayage.codec.Serializers;
import io.drayage.frame.ShipmentException;
import io.drayage.segment.Part;
import io.drayage.segment.PartKind;
import io.drayage.segment.Segment;
import io.drayage.segment.SegmentSerializer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How long segments of 32,768 texts take, each in its turn of 32: columnar beside raw values
 * through LZ4. The counters give the raw bytes, and those written, a second.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class TextSegments {
  private static final int ROWS = 32_768;
  private static final int SEGMENTS = 32;
  private static final int ROOM = 4 << 20;
  private static final long SEED = 1;

  /** What the texts are like: of 25 or of 10,000 different ones, or each its own. */
  @Param({"25", "10000", "all"})
  public String different = "";

  /** A serializer, and a compressor behind it or none. */
  @Param({"columnar", "raw", "raw+lz4"})
  public String codec = "";

  private final ColumnValues[] columns = new ColumnValues[SEGMENTS];
  private final ByteBuffer[] encoded = new ByteBuffer[SEGMENTS];
  private final long[] rawBytes = new long[SEGMENTS];
  private final ByteBuffer plain = direct();
  private SegmentSerializer serializer = Serializers.ofName("raw").newSegmentSerializer();
  private SegmentCompressor compressor = Compressors.ofName("lz4").newSegmentCompressor();
  private int next;

  /** Bytes a second. */
  @AuxCounters
  @State(Scope.Thread)
  public static class Bytes {
    public long raw;
    public long written;

    /** Starts anew. */
    @Setup(Level.Iteration)
    public void clear() {
      raw = 0;
      written = 0;
    }
  }

  private static ByteBuffer direct() {
    return ByteBuffer.allocateDirect(ROOM).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** The texts, and their segments. */
  @Setup
  public void prepare() {
    serializer =
        Serializers.ofName(codec.equals("columnar") ? codec : "raw").newSegmentSerializer();
    Random random = new Random(SEED);
    for (int s = 0; s < SEGMENTS; s++) {
      String[] texts = new String[ROWS];
      for (int i = 0; i < ROWS; i++) {
        int number =
            different.equals("all")
                ? random.nextInt()
                : random.nextInt(Integer.parseInt(different));
        texts[i] = "Clerk no. " + number * 2_654_435L;
      }
      columns[s] = ColumnValues.ofTexts(new String[][] {texts});
      rawBytes[s] = CargoSize.rawBytes(columns[s]);
      encoded[s] = direct();
      encodeInto(s);
    }
  }

  private static Segment segment(ColumnValues values) {
    Part part = new Part(0, "t", PartKind.INSERTED_VALUES, "c", ColumnType.STRING, false, ROWS, 0);
    return new Segment(0, part, 0, (int) values.rowCount());
  }

  private void encodeInto(int s) {
    ByteBuffer target = encoded[s].clear();
    if (codec.endsWith("lz4")) {
      plain.clear();
      serializer.serialize(segment(columns[s]), columns[s], plain);
      target.putInt(plain.position());
      compressor.compress(plain.flip(), target);
    } else {
      serializer.serialize(segment(columns[s]), columns[s], target);
    }
    target.flip();
  }

  /** Texts to bytes. */
  @Benchmark
  public void encode(Bytes bytes) {
    next = (next + 1) % SEGMENTS;
    encodeInto(next);
    count(bytes);
  }

  private void count(Bytes bytes) {
    bytes.raw += rawBytes[next];
    bytes.written += encoded[next].limit();
  }

  /** Bytes to texts. */
  @Benchmark
  public Object decode(Bytes bytes) throws ShipmentException {
    next = (next + 1) % SEGMENTS;
    ByteBuffer source = encoded[next].duplicate().order(ByteOrder.LITTLE_ENDIAN).rewind();
    if (codec.endsWith("lz4")) {
      plain.clear().limit(source.getInt());
      compressor.decompress(source, plain);
      source = plain.flip();
    }
    ColumnValues target = ColumnValues.allocate(ColumnType.STRING, ROWS, false);
    serializer.deserialize(segment(target), source, target);
    count(bytes);
    return target;
  }
}
