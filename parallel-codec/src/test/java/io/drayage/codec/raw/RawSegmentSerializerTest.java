package io.drayage.codec.raw;

import static io.drayage.internal.Texts.format;
import static io.drayage.testing.Faults.assertFault;
import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.PartContent;
import io.drayage.cargo.RandomCargo;
import io.drayage.cargo.RowBits;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.segment.Part;
import io.drayage.segment.PartKind;
import io.drayage.segment.Segment;
import io.drayage.testing.Repaging;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class RawSegmentSerializerTest {
  private static final int ROWS = 65_536 + 777;
  private static final int GUARD_BYTES = 64;
  private static final byte GUARD = (byte) 0xA5;

  private final RawSegmentSerializer serializer = new RawSegmentSerializer();

  @ParameterizedTest
  @EnumSource
  void everyTypeSurvivesInSegmentsOfAnySize(ColumnType type) throws ShipmentException {
    for (boolean nullable : List.of(false, true)) {
      for (int segmentRows : new int[] {64, 128, 1_024, 10_048, 65_536, 66_368}) {
        int rows = segmentRows < 1_024 ? 1_000 : ROWS;
        ColumnValues values = RandomCargo.column(segmentRows, type, rows, nullable);
        assertRoundTrip(values, segmentRows, format("%s in %,d rows", type, segmentRows));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void everyTypeSurvivesAtWordBorders(ColumnType type) throws ShipmentException {
    for (int rows : new int[] {1, 2, 63, 64, 65, 127, 128, 129}) {
      for (boolean nullable : List.of(false, true)) {
        assertRoundTrip(RandomCargo.column(rows, type, rows, nullable), 64, type + " " + rows);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void pagingOfTheSenderDoesNotMatter(ColumnType type) throws ShipmentException {
    ColumnValues values = RandomCargo.column(8, type, 1_000, true);
    for (int rowsPerPage : new int[] {1, 7, 100, 1_000}) {
      assertRoundTrip(Repaging.of(values, rowsPerPage), 320, "pages of " + rowsPerPage);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 63, 64, 65, 1_000, ROWS})
  void bitsSurvive(long size) throws ShipmentException {
    RowBits bits = RandomCargo.bits(size, size);
    RowBits read = new RowBits(size);
    for (long first = 0; first < size; first += 192) {
      Segment segment = segment(null, first, (int) Math.min(192, size - first));
      serializer.deserialize(segment, serialized(segment, bits), read);
    }
    assertThat(read).isEqualTo(bits);
  }

  @Test
  void textsOfEveryKindSurvive() throws ShipmentException {
    String[] texts = {
      "",
      null,
      "abc",
      "\u0000",
      "\u00FF",
      "\u0100",
      "\u00FF\u0100",
      "äöü",
      "汉字",
      "😀",
      "é".repeat(10_000),
      "汉".repeat(10_000),
      ""
    };
    ColumnValues values = ColumnValues.ofTexts(new String[][] {texts});
    ColumnValues read = assertRoundTrip(values, 5, "texts");

    for (int row = 0; row < texts.length; row++) {
      assertThat(read.get(row)).as("row %d", row).isEqualTo(texts[row]);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", "\u00FF", "汉"})
  void longestTextsSurvive(String piece) throws ShipmentException {
    ColumnValues values = ColumnValues.ofTexts(new String[][] {{piece.repeat((1 << 20) - 2)}});

    assertRoundTrip(values, 1, "long text of " + piece);
  }

  @ParameterizedTest
  @EnumSource
  void refusesEveryTruncationAndAnyExtension(ColumnType type) {
    for (boolean nullable : List.of(false, true)) {
      ColumnValues values = RandomCargo.column(9, type, 70, nullable);
      Segment segment = segment(type, 0, 70);
      ByteBuffer bytes = serialized(segment, values);
      int length = bytes.limit();
      for (int cut = 0; cut < length; cut++) {
        ColumnValues read = ColumnValues.allocate(type, 70, nullable);
        ByteBuffer shorter = slice(bytes, cut);
        assertFault(Fault.DECODE, () -> serializer.deserialize(segment, shorter, read))
            .as("%s, %d of %d bytes", type, cut, length)
            .hasMessageContaining("segment 0");
      }
      ColumnValues read = ColumnValues.allocate(type, 70, nullable);
      ByteBuffer longer = ByteBuffer.allocate(length + 1).order(ByteOrder.LITTLE_ENDIAN);
      longer.put(bytes.duplicate()).rewind();
      assertFault(Fault.DECODE, () -> serializer.deserialize(segment, longer, read));
    }
  }

  @Test
  void refusesTruncatedBits() {
    Segment segment = segment(null, 0, 65);
    for (int length : new int[] {0, 8, 15, 17, 24}) {
      ByteBuffer bytes = ByteBuffer.allocate(length);
      assertFault(Fault.DECODE, () -> serializer.deserialize(segment, bytes, new RowBits(65)))
          .hasMessageContaining("%d bytes, its values take 16", length);
    }
  }

  @ParameterizedTest
  @ValueSource(
      ints = {-2, Integer.MIN_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE - 1, 1 << 24, 0, 2, 8})
  void refusesLengthsOfTextsThatLie(int length) {
    ColumnValues read = ColumnValues.allocate(ColumnType.STRING, 2, false);
    ByteBuffer bytes = ByteBuffer.allocate(8 + 3).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putInt(0, 2).putInt(4, length);

    assertFault(
        Fault.DECODE, () -> serializer.deserialize(segment(ColumnType.STRING, 0, 2), bytes, read));
    assertThat(read.page(0)).as("nothing is put").isNull();
  }

  @ParameterizedTest
  @ValueSource(longs = {2, -1, 1L << 32, Long.MIN_VALUE})
  void refusesAnyOtherMarkOfValidityBits(long mark) {
    ByteBuffer bytes = ByteBuffer.allocate(8 + 8 + 1).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putLong(0, mark);
    ColumnValues read = ColumnValues.allocate(ColumnType.BYTE, 1, true);

    assertFault(
            Fault.DECODE, () -> serializer.deserialize(segment(ColumnType.BYTE, 0, 1), bytes, read))
        .hasMessageContaining("does not tell whether validity bits follow");
  }

  @Test
  void anyBooleanByteButZeroIsTrue() throws ShipmentException {
    ColumnValues read = ColumnValues.allocate(ColumnType.BOOLEAN, 4, false);
    ByteBuffer bytes = ByteBuffer.wrap(new byte[] {0, 1, 2, -1});

    serializer.deserialize(segment(ColumnType.BOOLEAN, 0, 4), bytes, read);

    assertThat((boolean[]) read.page(0)).containsExactly(false, true, true, true);
  }

  @Test
  void leavesOutValidityBitsOfSegmentsWithoutNulls() {
    ColumnValues values = ColumnValues.of(new byte[][] {new byte[65]}, RowBits.allSet(65));

    assertThat(serialized(segment(ColumnType.BYTE, 0, 65), values).remaining()).isEqualTo(8 + 65);
  }

  private ColumnValues assertRoundTrip(ColumnValues values, int segmentRows, String what)
      throws ShipmentException {
    long rows = values.rowCount();
    ColumnValues read = ColumnValues.allocate(values.type(), rows, values.validity() != null);
    for (long first = 0; first < rows; first += segmentRows) {
      Segment segment = segment(values.type(), first, (int) Math.min(segmentRows, rows - first));
      ByteBuffer bytes = serialized(segment, values);
      serializer.deserialize(segment, bytes, read);
      assertThat(bytes.hasRemaining()).as(what).isFalse();
    }
    assertThat(CargoDigest.ofColumn(read)).as(what).isEqualTo(CargoDigest.ofColumn(values));
    return read;
  }

  /** Serializes into exactly the stated bytes, between guards that must not change. */
  private ByteBuffer serialized(Segment segment, PartContent content) {
    int bound = serializer.maxSerializedBytes(segment, content);
    byte[] guard = new byte[GUARD_BYTES];
    Arrays.fill(guard, GUARD);
    ByteBuffer guarded = ByteBuffer.allocateDirect(bound + 2 * GUARD_BYTES);
    guarded.put(guard).put(GUARD_BYTES + bound, guard);
    ByteBuffer target = guarded.slice(GUARD_BYTES, bound).order(ByteOrder.LITTLE_ENDIAN);

    serializer.serialize(segment, content, target);

    assertThat(guarded.slice(0, GUARD_BYTES)).isEqualTo(ByteBuffer.wrap(guard));
    assertThat(guarded.slice(GUARD_BYTES + bound, GUARD_BYTES)).isEqualTo(ByteBuffer.wrap(guard));
    return target.flip();
  }

  private static ByteBuffer slice(ByteBuffer bytes, int length) {
    return bytes.slice(0, length).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static Segment segment(@Nullable ColumnType type, long firstRow, int rows) {
    PartKind kind = type == null ? PartKind.DELETED_ROWS : PartKind.INSERTED_VALUES;
    return new Segment(0, new Part(0, "t", kind, "c", type, true, ROWS, 0), firstRow, rows);
  }
}
