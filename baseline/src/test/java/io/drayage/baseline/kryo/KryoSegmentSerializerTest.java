package io.drayage.baseline.kryo;

import static io.drayage.testing.Faults.assertFault;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.esotericsoftware.kryo.io.Output;
import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.PartContent;
import io.drayage.cargo.RandomCargo;
import io.drayage.cargo.RowBits;
import io.drayage.codec.Serializer;
import io.drayage.codec.Serializers;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.segment.Part;
import io.drayage.segment.PartKind;
import io.drayage.segment.Segment;
import io.drayage.segment.SegmentSerializer;
import java.lang.reflect.Array;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class KryoSegmentSerializerTest {
  private static final int ROWS = 65_536 + 777;
  private static final int SEGMENT_ROWS = 10_048; // a multiple of 64 that does not divide a page

  static Stream<Serializer> kryos() {
    return KryoSerializerTest.kryos();
  }

  @ParameterizedTest
  @MethodSource("kryos")
  void columnsSurviveTheRoundTripAcrossPageBorders(Serializer kryo) throws ShipmentException {
    for (ColumnType type : ColumnType.values()) {
      for (boolean nullable : List.of(false, true)) {
        ColumnValues values = RandomCargo.column(5, type, ROWS, nullable);
        ColumnValues read = ColumnValues.allocate(type, ROWS, nullable);

        roundTrip(kryo, values, read, type, ROWS);

        assertThat(CargoDigest.ofColumn(read))
            .as("%s, nullable %s", type, nullable)
            .isEqualTo(CargoDigest.ofColumn(values));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("kryos")
  void bitsSurviveTheRoundTrip(Serializer kryo) throws ShipmentException {
    RowBits bits = RandomCargo.bits(6, ROWS);
    RowBits read = new RowBits(ROWS);

    roundTrip(kryo, bits, read, null, ROWS);

    assertThat(read).isEqualTo(bits);
  }

  @ParameterizedTest
  @MethodSource("kryos")
  void whatTakesMostFitsTheBound(Serializer kryo) throws ShipmentException {
    String[] texts = {"\uFFFF".repeat(70_000), "\u0000".repeat(3), "", null, "汉".repeat(40)};
    long[] longs = {Long.MIN_VALUE, Long.MAX_VALUE, -1, 0, Long.MIN_VALUE};
    int[] ints = {Integer.MIN_VALUE, Integer.MAX_VALUE, -1, 0, Integer.MIN_VALUE};
    double[] doubles = {Double.longBitsToDouble(0x7FF0_0000_0000_0001L), -0.0, 1, 2, 3};
    float[] floats = {Float.intBitsToFloat(0x7F80_0001), -0.0f, 1, 2, 3};
    for (Object page : List.of(texts, longs, ints, doubles, floats)) {
      Object[] pages = (Object[]) Array.newInstance(page.getClass(), 1);
      pages[0] = page;
      ColumnValues values = ColumnValues.of(pages);
      ColumnValues read = ColumnValues.allocate(values.type(), 5, false);

      roundTrip(kryo, values, read, values.type(), 5);

      assertThat(CargoDigest.ofColumn(read)).isEqualTo(CargoDigest.ofColumn(values));
    }
  }

  @ParameterizedTest
  @MethodSource("kryos")
  void overflowsWhereAByteIsMissingAndCanBeUsedAgain(Serializer kryo) {
    SegmentSerializer serializer = kryo.newSegmentSerializer();
    for (ColumnType type : ColumnType.values()) {
      ColumnValues values = RandomCargo.column(7, type, 1_000, true);
      Segment segment = segment(type, 0, 1_000);
      ByteBuffer whole = serialized(serializer, segment, values);

      for (int room : new int[] {0, 1, 100, whole.remaining() - 1}) {
        ByteBuffer target = buffer(whole.remaining() + 8).limit(room);
        assertThatExceptionOfType(BufferOverflowException.class)
            .as("%s into %,d of %,d bytes", type, room, whole.remaining())
            .isThrownBy(() -> serializer.serialize(segment, values, target));
      }

      assertThat(serialized(serializer, segment, values)).as("%s", type).isEqualTo(whole);
    }
  }

  @ParameterizedTest
  @MethodSource("kryos")
  @Tag("nightly")
  void everyCutIsRefusedAndEveryFlippedBitHarmless(Serializer kryo) {
    SegmentSerializer serializer = kryo.newSegmentSerializer();
    for (ColumnType type : ColumnType.values()) {
      Segment segment = segment(type, 0, 70);
      ByteBuffer whole = serialized(serializer, segment, RandomCargo.column(8, type, 70, true));
      byte[] bytes = new byte[whole.remaining()];
      whole.get(bytes);
      ColumnValues target = ColumnValues.allocate(type, 70, true);

      for (int length = 0; length < bytes.length; length++) {
        ByteBuffer cut =
            ByteBuffer.wrap(Arrays.copyOf(bytes, length)).order(ByteOrder.LITTLE_ENDIAN);
        assertFault(Fault.DECODE, () -> serializer.deserialize(segment, cut, target))
            .hasMessageNotContaining("null");
      }
      for (int bit = 0; bit < bytes.length * Byte.SIZE; bit++) {
        byte[] flipped = bytes.clone();
        flipped[bit >>> 3] ^= (byte) (1 << (bit & 7));
        try {
          serializer.deserialize(
              segment, ByteBuffer.wrap(flipped).order(ByteOrder.LITTLE_ENDIAN), target);
        } catch (ShipmentException e) {
          assertThat(e.fault()).as("%s, bit %,d: %s", type, bit, e).isEqualTo(Fault.DECODE);
        }
      }
    }
  }

  @Test
  void tunedWritesTheBytesOfUnsafe() {
    SegmentSerializer unsafe = Serializers.ofName("kryo-unsafe").newSegmentSerializer();
    SegmentSerializer tuned = Serializers.ofName("kryo-tuned").newSegmentSerializer();
    for (ColumnType type : ColumnType.values()) {
      ColumnValues values = RandomCargo.column(9, type, ROWS, true);
      Segment segment = segment(type, 64, ROWS - 64);

      assertThat(serialized(tuned, segment, values))
          .as("%s, seed 9", type)
          .isEqualTo(serialized(unsafe, segment, values));
    }
  }

  @ParameterizedTest
  @MethodSource("kryos")
  void refusesAnotherLengthAndWhatFollows(Serializer kryo) {
    ColumnValues target = ColumnValues.allocate(ColumnType.BYTE, 3, false);
    ColumnValues texts = ColumnValues.allocate(ColumnType.STRING, 1, false);

    assertRefused(
        kryo, target, 3, "an array of 2 elements where 3", out -> out.writeVarInt(3, true));
    assertRefused(kryo, target, 3, "an array of -1 elements", out -> out.writeVarInt(0, true));
    assertRefused(
        kryo,
        target,
        3,
        "an array of 2,147,483,646 elements",
        out -> out.writeVarInt(-1 >>> 1, true));
    assertRefused(kryo, target, 3, "ends in the middle", out -> out.writeVarInt(4, true));
    assertRefused(
        kryo,
        target,
        3,
        "bytes behind the last value",
        out -> {
          out.writeVarInt(4, true);
          out.writeBytes(new byte[4]);
        });
    assertRefused(
        kryo,
        texts,
        1,
        "the limit is 8",
        out -> {
          out.writeVarInt(2, true);
          out.writeVarIntFlag(true, 1 << 20, true);
          out.writeBytes(new byte[3]);
        });
  }

  private static void assertRefused(
      Serializer kryo, ColumnValues target, int rows, String why, Consumer<Output> writing) {
    Output out = new Output(100, -1);
    writing.accept(out);
    ByteBuffer source = ByteBuffer.wrap(out.toBytes()).order(ByteOrder.LITTLE_ENDIAN);
    assertFault(
            Fault.DECODE,
            () ->
                kryo.newSegmentSerializer()
                    .deserialize(segment(target.type(), 0, rows), source, target))
        // kryo-tuned knows how many bytes there must be, and looks no further.
        .hasMessageContaining(
            kryo.name().equals("kryo-tuned") && target.type().isFixedWidth()
                ? "bytes, its values take 4"
                : why);
  }

  private static void roundTrip(
      Serializer kryo, PartContent from, PartContent to, @Nullable ColumnType type, int rows)
      throws ShipmentException {
    SegmentSerializer serializer = kryo.newSegmentSerializer();
    for (int first = 0; first < rows; first += SEGMENT_ROWS) {
      Segment segment = segment(type, first, Math.min(SEGMENT_ROWS, rows - first));
      ByteBuffer bytes = serialized(serializer, segment, from);
      serializer.deserialize(segment, bytes, to);
      assertThat(bytes.hasRemaining()).isFalse();
    }
  }

  private static ByteBuffer serialized(
      SegmentSerializer serializer, Segment segment, PartContent content) {
    ByteBuffer bytes = buffer(serializer.maxSerializedBytes(segment, content));
    serializer.serialize(segment, content, bytes);
    return bytes.flip();
  }

  private static ByteBuffer buffer(int bytes) {
    return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static Segment segment(@Nullable ColumnType type, long firstRow, int rows) {
    PartKind kind = type == null ? PartKind.DELETED_ROWS : PartKind.INSERTED_VALUES;
    Part part = new Part(0, "t", kind, "c", type, true, ROWS, 0);
    return new Segment(0, part, firstRow, rows);
  }
}
