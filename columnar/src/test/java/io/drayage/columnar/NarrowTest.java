package io.drayage.columnar;

import static io.drayage.internal.Texts.format;
import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.codec.BulkValues;
import io.drayage.columnar.stream.Scheme;
import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bytes and shorts that are packed as they are, NaNs, and columns that change. */
@Timeout(300)
class NarrowTest {
  private static final int[] COUNTS = {1, 2, 63, 64, 65, 4_095, 4_096, 4_097, 9_000};
  private static final int SEED = 3;

  private final StreamCodec codec = EncodedStreams.CODEC;

  @ParameterizedTest
  @EnumSource(names = {"BOOLEAN", "BYTE", "SHORT"})
  void valuesOfEveryWidthSurvive(ColumnType type) throws ShipmentException {
    int bits = type == ColumnType.BOOLEAN ? 1 : type.widthBytes() * Byte.SIZE;
    for (int width = 0; width <= bits; width++) {
      for (int count : COUNTS) {
        SplittableRandom random = new SplittableRandom(SEED);
        int range = 1 << width;
        int base = random.nextInt(-(1 << (bits - 1)), (1 << (bits - 1)) - range + 2);
        ColumnValues column = ColumnValues.allocate(type, count, false);
        for (int row = 0; row < count; row++) {
          EncodedStreams.set(column, row, base + random.nextInt(range));
        }
        assertSurvives("NARROW", column, format("%s of %d bits", type, width));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"FLOAT", "DOUBLE"})
  void differentNaNsStayDifferent(ColumnType type) throws ShipmentException {
    int count = 20_000;
    ColumnValues column = ColumnValues.allocate(type, count, false);
    for (int row = 0; row < count; row++) {
      Object page = column.pageForWrite(column.pageOf(row));
      int bits = row / 300 % 3;
      int at = column.offsetOf(row);
      if (page instanceof double[] doubles) {
        doubles[at] = Double.longBitsToDouble(0x7ff8000000000000L + bits);
      } else {
        ((float[]) page)[at] = Float.intBitsToFloat(0x7fc00000 + bits);
      }
    }
    assertSurvives("RLE", column, "NaNs");
    ByteBuffer bytes = EncodedStreams.buffer(count);
    Scheme constant = EncodedStreams.scheme(codec, "CONST", EncodedStreams.rows(column));
    codec.write(EncodedStreams.rows(column), constant, bytes);
    ColumnValues read = ColumnValues.allocate(type, count, false);
    codec.read(bytes.flip(), count, EncodedStreams.rows(read));
    assertEqual(column, read, "NaNs, as known to be constant");
  }

  /** What the first rows told need not hold: it must not show in the values. */
  @ParameterizedTest
  @ValueSource(strings = {"CONST", "RLE", "DICT", "ALP", "REPEAT", "NARROW"})
  void aColumnMayChange(String encoding) throws ShipmentException {
    int count = 20_000;
    for (ColumnType type : ColumnType.values()) {
      if (type != ColumnType.STRING) {
        ColumnValues column = ColumnValues.allocate(type, count, false);
        Random random = new Random(SEED);
        for (int row = 0; row < count; row++) {
          EncodedStreams.set(column, row, row < 900 ? row % 7 : random.nextInt());
        }
        ColumnRows first = new ColumnRows(column, 0, 900, null, new BulkValues());
        Scheme like = EncodedStreams.scheme(codec, encoding, first);
        ByteBuffer bytes = EncodedStreams.buffer(count);
        Scheme tree = codec.write(EncodedStreams.rows(column), like, bytes);
        assertThat(tree.bytes()).isLessThanOrEqualTo(8 + count * type.widthBytes());
        ColumnValues read = ColumnValues.allocate(type, count, false);
        codec.read(bytes.flip(), count, EncodedStreams.rows(read));
        assertEqual(column, read, "%s as %s".formatted(type, tree));
      }
    }
  }

  private void assertSurvives(String encoding, ColumnValues column, String what)
      throws ShipmentException {
    int count = (int) column.rowCount();
    ByteBuffer bytes = EncodedStreams.buffer(count);
    if (EncodedStreams.write(codec, encoding, EncodedStreams.rows(column), bytes) == null) {
      return; // it does not suit
    }
    ColumnValues read = ColumnValues.allocate(column.type(), count, false);
    Scheme tree = codec.read(bytes.flip(), count, EncodedStreams.rows(read));
    assertThat(bytes.hasRemaining()).isFalse();
    assertEqual(column, read, format("%s, %,d values: %s", what, count, tree));
  }

  private static void assertEqual(ColumnValues column, ColumnValues read, String what) {
    for (int page = 0; page < column.pageCount(); page++) {
      ColumnRows of = EncodedStreams.rows(column);
      ColumnRows ofRead = EncodedStreams.rows(read);
      int from = page * column.rowsPerPage();
      for (int row = from; row < from + column.rowsInPage(page); row++) {
        if (of.at(row) != ofRead.at(row)) {
          assertThat(ofRead.at(row)).as("%s, row %,d", what, row).isEqualTo(of.at(row));
        }
      }
    }
  }
}
