package io.drayage.baseline;

import static io.drayage.testing.Refusals.assertFault;

import com.esotericsoftware.kryo.io.Output;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.RandomCargo;
import io.drayage.codec.SegmentChecks;
import io.drayage.codec.SegmentSerializerBattery;
import io.drayage.codec.Serializers;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.segment.Segment;
import io.drayage.segment.SegmentSerializer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.function.Consumer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The serializers of the study over single segments. */
class SegmentSerializersTest {
  @Nested
  @ParameterizedClass
  @ValueSource(strings = {"java", "kryo", "kryo-unsafe", "kryo-tuned", "msgpack"})
  class Each extends SegmentSerializerBattery {
    Each(String name) {
      super(name);
    }
  }

  private static SegmentSerializer of(String name) {
    return Serializers.ofName(name).newSegmentSerializer();
  }

  private static void assertRefused(
      String name, ColumnValues target, int rows, byte[] bytes, String why) {
    Segment segment = SegmentChecks.segment(target, 0, rows);
    ByteBuffer source = SegmentChecks.direct(bytes.length).put(bytes).flip();

    assertFault(Fault.DECODE, () -> of(name).deserialize(segment, source, target))
        .hasMessageContaining(why);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "java       | int[] with 64 elements where int[] with 65 elements belongs",
        "kryo       | an array of 64 elements where 65 belong",
        "kryo-tuned | 257 bytes, its values take 261",
        "msgpack    | an array of 64 where one of 65 belongs"
      })
  void refusesAnotherNumberOfRows(String name, String why) throws ShipmentException {
    ColumnValues values = RandomCargo.column(1, ColumnType.INT, 64, false);
    ByteBuffer bytes = SegmentChecks.bytes(of(name), SegmentChecks.segment(values, 0, 64), values);
    byte[] copied = new byte[bytes.remaining()];
    bytes.get(copied);

    assertRefused(name, ColumnValues.allocate(ColumnType.INT, 65, false), 65, copied, why);
  }

  @Test
  void msgpackRefusesATextLongerThanTheSegment() {
    ColumnValues text = ColumnValues.allocate(ColumnType.STRING, 1, false);
    byte[] bytes = {(byte) 0x91, (byte) 0xDB, 0x0F, 0, 0, 0};
    assertRefused("msgpack", text, 1, bytes, "251,658,240 bytes or more; the limit is 6");
  }

  @Test
  void javaRefusesAWrongLengthTypeOrClassByName() throws IOException {
    assertJavaRefuses("long[] with 8 elements where int[]", new long[8]);
    assertJavaRefuses("null where int[]", new Object[] {null});
    assertJavaRefuses("java.util.ArrayList", new ArrayList<>());
    assertJavaRefuses("behind the last", new int[64], new long[1], new long[0]);
    assertJavaRefuses("arrays of 8,000,000 bytes or more", new long[1_000_000]);
  }

  private static void assertJavaRefuses(String why, Object... objects) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      for (Object object : objects) {
        out.writeObject(object);
      }
    }
    assertRefused(
        "java", ColumnValues.allocate(ColumnType.INT, 64, true), 64, bytes.toByteArray(), why);
  }

  @ParameterizedTest
  @ValueSource(strings = {"kryo", "kryo-unsafe", "kryo-tuned"})
  void kryoRefusesAnotherLengthAndWhatFollows(String name) {
    assertKryoRefuses(name, "an array of -1 elements", out -> out.writeVarInt(0, true));
    assertKryoRefuses(
        name, "an array of 2,147,483,646 elements", out -> out.writeVarInt(-1 >>> 1, true));
    assertKryoRefuses(name, "ends in the middle", out -> out.writeVarInt(4, true));
    Output text = new Output(100, -1);
    text.writeVarInt(2, true);
    if (name.equals("kryo-tuned")) {
      text.writeInt(0);
      text.writeInt(1 << 20);
    } else {
      text.writeVarIntFlag(true, 1 << 20, true);
    }
    text.writeBytes(new byte[3]);
    ColumnValues texts = ColumnValues.allocate(ColumnType.STRING, 1, false);
    assertRefused(name, texts, 1, text.toBytes(), "the limit is " + text.position());
  }

  private static void assertKryoRefuses(String name, String why, Consumer<Output> writing) {
    Output out = new Output(100, -1);
    writing.accept(out);
    // kryo-tuned knows the number of bytes, and reads no further.
    assertRefused(
        name,
        ColumnValues.allocate(ColumnType.BYTE, 3, false),
        3,
        out.toBytes(),
        name.equals("kryo-tuned") ? "bytes, its values take 4" : why);
  }
}
