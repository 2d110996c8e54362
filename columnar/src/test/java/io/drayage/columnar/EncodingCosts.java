package io.drayage.columnar;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.codec.BulkValues;
import io.drayage.columnar.stream.Encoding;
import io.drayage.columnar.stream.Scheme;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Not a test but a measurement, from which the costs of the encodings come: what a value costs in
 * an encoding, in nanoseconds, from pages to bytes and back, with memory that is in no cache and
 * with the choice remembered. This prints the table, with {@code -Dcolumnar.costs.of=RLE|DICT} only
 * some of it:
 *
 * <pre>mvn test -pl columnar -am -Dtest=EncodingCosts -Dcolumnar.costs=true \
 *     -Dsurefire.failIfNoSpecifiedTests=false</pre>
 */
@EnabledIfSystemProperty(named = "columnar.costs", matches = "true")
class EncodingCosts {
  private static final int SEGMENT_BYTES = 1 << 20;
  private static final int SEGMENTS = 48;
  private static final int TURNS = 7;

  private final StreamCodec codec = new StreamCodec(ColumnarOptions.DEFAULT, EncodedStreams.zstd());
  private final ByteBuffer[] targets = new ByteBuffer[SEGMENTS];

  EncodingCosts() {
    Arrays.setAll(
        targets,
        s -> ByteBuffer.allocateDirect(9 * SEGMENT_BYTES / 4).order(ByteOrder.LITTLE_ENDIAN));
  }

  @ParameterizedTest
  @EnumSource(names = {"BYTE", "SHORT", "INT", "LONG", "FLOAT", "DOUBLE"})
  void print(ColumnType type) throws Exception {
    for (Encoding encoding : codec.encodings()) {
      if (!encoding.name().matches(System.getProperty("columnar.costs.of", ".*"))) {
        continue;
      }
      int rows = SEGMENT_BYTES / type.widthBytes();
      ColumnValues column = fill(type, encoding, (long) rows * SEGMENTS);
      ColumnValues read = ColumnValues.allocate(type, column.rowCount(), false);
      Scheme scheme = EncodedStreams.scheme(codec, encoding.name(), rows(column, 0, rows));
      if (!encode(encoding, column, 0, rows, scheme)) {
        continue;
      }
      double[] encodeNs = new double[TURNS];
      double[] decodeNs = new double[TURNS];
      long bytes = 0;
      for (int turn = 0; turn < TURNS; turn++) {
        bytes = 0;
        long started = System.nanoTime();
        for (int s = 0; s < SEGMENTS; s++) {
          assertThat(encode(encoding, column, s, rows, scheme)).isTrue();
          bytes += targets[s].remaining();
        }
        encodeNs[turn] = (double) (System.nanoTime() - started) / column.rowCount();
        started = System.nanoTime();
        for (int s = 0; s < SEGMENTS; s++) {
          codec.read(targets[s], rows, rows(read, s, rows));
        }
        decodeNs[turn] = (double) (System.nanoTime() - started) / column.rowCount();
      }
      Arrays.sort(encodeNs);
      Arrays.sort(decodeNs);
      System.out.printf(
          "%-6s %-8s %6.2f bytes  encode %6.2f ns  decode %6.2f ns   %5.1f and %5.1f GB/s%n",
          type,
          encoding,
          (double) bytes / column.rowCount(),
          encodeNs[TURNS / 2],
          decodeNs[TURNS / 2],
          type.widthBytes() / encodeNs[TURNS / 2],
          type.widthBytes() / decodeNs[TURNS / 2]);
    }
  }

  private boolean encode(Encoding encoding, ColumnValues column, int s, int rows, Scheme scheme) {
    ByteBuffer target = targets[s].clear();
    boolean written = codec.writeAs(encoding, rows(column, s, rows), scheme, target) != null;
    target.flip();
    return written;
  }

  private static ColumnRows rows(ColumnValues column, int s, int rows) {
    return new ColumnRows(column, (long) s * rows, rows, null, new BulkValues());
  }

  private static ColumnValues fill(ColumnType type, Encoding encoding, long rows) {
    ColumnValues column = ColumnValues.allocate(type, rows, false);
    SplittableRandom random = new SplittableRandom(1);
    long before = 0;
    for (int page = 0; page < column.pageCount(); page++) {
      Object array = column.pageForWrite(page);
      for (int i = 0; i < column.rowsInPage(page); i++) {
        before = value(encoding, random, before);
        set(array, i, before, encoding.name().equals("ALP") ? 100 : 1);
      }
    }
    return column;
  }

  private static long value(Encoding encoding, SplittableRandom random, long before) {
    return switch (encoding.name()) {
      case "CONST" -> 7;
      case "BINS" -> (long) (20 * random.nextGaussian());
      case "FOR", "NARROW" -> random.nextInt(64);
      case "ALP" -> random.nextInt(100_000);
      case "DELTA" -> before + random.nextInt(16);
      case "PDELTA" -> before + (random.nextInt(100) == 0 ? random.nextInt(90) : 1);
      case "PFOR" -> random.nextInt(random.nextInt(100) == 0 ? 120 : 8);
      case "REPEAT" -> (before + 1) % 52;
      case "GCD" -> 4L * random.nextInt(30);
      case "RLE" -> random.nextInt(8) == 0 ? random.nextInt(64) : before;
      case "DICT" -> random.nextInt(50) * 0x9E3779B97F4A7C15L;
      default -> random.nextLong();
    };
  }

  private static void set(Object page, int i, long value, double divisor) {
    if (page instanceof double[] doubles) {
      doubles[i] = value / divisor;
    } else if (page instanceof float[] floats) {
      floats[i] = (float) (value / divisor);
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
}
