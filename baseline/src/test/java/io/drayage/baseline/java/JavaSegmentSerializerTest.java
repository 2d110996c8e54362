package io.drayage.baseline.java;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.PartContent;
import io.drayage.cargo.RandomCargo;
import io.drayage.cargo.RowBits;
import io.drayage.codec.Serializers;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.segment.Part;
import io.drayage.segment.PartKind;
import io.drayage.segment.Segment;
import io.drayage.segment.SegmentSerializer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class JavaSegmentSerializerTest {
  private static final int ROWS = 65_536 + 777;
  private static final int SEGMENT_ROWS = 10_048; // a multiple of 64 that does not divide a page

  private final SegmentSerializer serializer = Serializers.ofName("java").newSegmentSerializer();

  @ParameterizedTest
  @EnumSource
  void columnSurvivesTheRoundTripAcrossPageBorders(ColumnType type) throws ShipmentException {
    for (boolean nullable : List.of(false, true)) {
      ColumnValues values = RandomCargo.column(5, type, ROWS, nullable);
      ColumnValues read = ColumnValues.allocate(type, ROWS, nullable);

      roundTrip(values, read, type, ROWS);

      assertThat(CargoDigest.ofColumn(read))
          .as("nullable %s", nullable)
          .isEqualTo(CargoDigest.ofColumn(values));
    }
  }

  @Test
  void bitsSurviveTheRoundTrip() throws ShipmentException {
    RowBits bits = RandomCargo.bits(6, ROWS);
    RowBits read = new RowBits(ROWS);

    roundTrip(bits, read, null, ROWS);

    assertThat(read).isEqualTo(bits);
  }

  @Test
  void everyNanKeepsItsBits() throws ShipmentException {
    double[] doubles = {Double.longBitsToDouble(0x7FF0_0000_0000_0001L), Double.NaN, -0.0};
    float[] floats = {Float.intBitsToFloat(0x7F80_0001), Float.NaN, -0.0f};
    for (ColumnValues values :
        List.of(
            ColumnValues.of(new double[][] {doubles}), ColumnValues.of(new float[][] {floats}))) {
      ColumnValues read = ColumnValues.allocate(values.type(), 3, false);

      roundTrip(values, read, values.type(), 3);

      assertThat(CargoDigest.ofColumn(read)).isEqualTo(CargoDigest.ofColumn(values));
    }
  }

  @Test
  void longestTextsFitTheBound() throws ShipmentException {
    String[] page = {"\uFFFF".repeat(70_000), "\u0000".repeat(3), "", null};
    ColumnValues values = ColumnValues.of(new String[][] {page});
    ColumnValues read = ColumnValues.allocate(ColumnType.STRING, 4, false);

    roundTrip(values, read, ColumnType.STRING, 4);

    assertThat(CargoDigest.ofColumn(read)).isEqualTo(CargoDigest.ofColumn(values));
  }

  @Test
  void refusesAWrongLengthTypeOrClassByName() throws IOException {
    ColumnValues target = ColumnValues.allocate(ColumnType.INT, 64, true);
    Segment segment = segment(ColumnType.INT, 0, 64);

    assertRefused(segment, target, "int[] with 63 elements where int[] with 64", new int[63]);
    assertRefused(segment, target, "long[] with 8 elements where int[]", new long[8]);
    assertRefused(segment, target, "null where int[]", new Object[] {null});
    assertRefused(segment, target, "java.util.ArrayList", new java.util.ArrayList<>());
    assertRefused(segment, target, "int[].class"); // nothing at all
    assertRefused(segment, target, "behind the last", new int[64], new long[1], new long[0]);
    assertRefused(segment, target, "arrays of 8,000,000 bytes or more", new long[1_000_000]);
  }

  private void assertRefused(Segment segment, PartContent target, String why, Object... objects)
      throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      for (Object object : objects) {
        out.writeObject(object);
      }
    }
    ByteBuffer source = ByteBuffer.wrap(bytes.toByteArray());

    assertThatThrownBy(() -> serializer.deserialize(segment, source, target))
        .isInstanceOfSatisfying(
            ShipmentException.class, e -> assertThat(e.fault()).isEqualTo(Fault.DECODE))
        .hasMessageContaining(objects.length == 0 ? "segment 0" : why);
  }

  private void roundTrip(PartContent from, PartContent to, ColumnType type, int rows)
      throws ShipmentException {
    for (int first = 0; first < rows; first += SEGMENT_ROWS) {
      Segment segment = segment(type, first, Math.min(SEGMENT_ROWS, rows - first));
      ByteBuffer bytes =
          ByteBuffer.allocateDirect(serializer.maxSerializedBytes(segment, from))
              .order(ByteOrder.LITTLE_ENDIAN);
      serializer.serialize(segment, from, bytes);
      serializer.deserialize(segment, bytes.flip(), to);
      assertThat(bytes.hasRemaining()).isFalse();
    }
  }

  private static Segment segment(ColumnType type, long firstRow, int rows) {
    PartKind kind = type == null ? PartKind.DELETED_ROWS : PartKind.INSERTED_VALUES;
    Part part = new Part(0, "t", kind, "c", type, true, ROWS, 0);
    return new Segment(0, part, firstRow, rows);
  }
}
