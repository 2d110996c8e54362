package io.drayage.serializer.msgpack;

import static io.drayage.serializer.support.SerializerChecks.MAX_BYTES;
import static io.drayage.serializer.support.SerializerChecks.assertRoundTrip;
import static io.drayage.serializer.support.SerializerChecks.bytes;
import static io.drayage.serializer.support.SerializerChecks.cargoOf;
import static io.drayage.serializer.support.SerializerChecks.onlyColumn;
import static io.drayage.serializer.support.SerializerChecks.read;
import static io.drayage.testing.Faults.assertFault;
import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.RandomCargo;
import io.drayage.frame.Fault;
import io.drayage.serializer.Serializer;
import io.drayage.serializer.Serializers;
import io.drayage.serializer.support.SerializerChecks;
import io.drayage.testing.SpareRoom;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.msgpack.core.MessagePack;
import org.msgpack.core.MessagePacker;

class MsgpackSerializerTest {
  private final Serializer serializer = Serializers.ofName("msgpack");

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 63, 64, 65, 65_535, 65_536, 65_537})
  void cargoSurvivesTheRoundTrip(int rows) throws IOException {
    assertRoundTrip(serializer, RandomCargo.of(rows, rows), "seed " + rows);
  }

  @Test
  void emptyCargoSurvives() throws IOException {
    assertRoundTrip(serializer, ChangeCargo.builder(new UUID(0, 0), 0).build(), "no tables");
    assertRoundTrip(
        serializer, ChangeCargo.builder(new UUID(0, 0), 0).table("t", t -> {}).build(), "no parts");
  }

  @Test
  void spareRoomTravelsAlong() throws IOException {
    ChangeCargo cargo = SpareRoom.of(RandomCargo.of(7, 1_000), 300);

    ColumnValues values = onlyColumn(assertRoundTrip(serializer, cargo, "seed 7"));

    assertThat(values.rowsInPage(3)).isEqualTo(100);
    assertThat(Array.getLength(values.page(3))).isEqualTo(300);
  }

  @Test
  void everyIntegerTakesTheSmallestForm() throws IOException {
    int header = bytes(serializer, cargoOf(ColumnValues.of(new long[][] {{0}}))).length - 1;

    assertThat(bytesOfLong(127) - header).isEqualTo(1);
    assertThat(bytesOfLong(-32) - header).isEqualTo(1);
    assertThat(bytesOfLong(255) - header).isEqualTo(2);
    assertThat(bytesOfLong(65_535) - header).isEqualTo(3);
    assertThat(bytesOfLong(1L << 31) - header).isEqualTo(5);
    assertThat(bytesOfLong(Long.MIN_VALUE) - header).isEqualTo(9);
  }

  private int bytesOfLong(long value) throws IOException {
    return bytes(serializer, cargoOf(ColumnValues.of(new long[][] {{value}}))).length;
  }

  @Test
  void everyNanKeepsItsBits() throws IOException {
    double[] doubles = {
      Double.longBitsToDouble(0x7FF0_0000_0000_0001L),
      Double.longBitsToDouble(0xFFF8_0000_0000_1234L),
      Double.NaN,
      -0.0
    };
    float[] floats = {
      Float.intBitsToFloat(0x7F80_0001), Float.intBitsToFloat(0xFFC0_0123), Float.NaN, -0.0f
    };

    assertRoundTrip(serializer, cargoOf(ColumnValues.of(new double[][] {doubles})), "doubles");
    assertRoundTrip(serializer, cargoOf(ColumnValues.of(new float[][] {floats})), "floats");
  }

  @Test
  void everyTextSurvives() throws IOException {
    String[] texts = {
      "",
      null,
      "\u0000",
      "\uFFFD",
      "\uFFFF",
      "\uD800",
      "\uDC00",
      "\uDC00\uD800",
      "a\uD83D",
      "😀\uD83D",
      "\uD83D😀",
      "x".repeat(31),
      "x".repeat(32),
      "ä".repeat(127),
      "ä".repeat(128),
      "x".repeat(255),
      "x".repeat(256),
      "x".repeat(511),
      "汉".repeat(511),
      "汉".repeat(512),
      "😀".repeat(8_192),
      "x".repeat(65_535),
      "x".repeat(65_536),
      "汉".repeat(100_000),
      "\uD800".repeat(100_000),
      "\uFFFD".repeat(3_000)
    };

    ChangeCargo read =
        assertRoundTrip(
            serializer, cargoOf(ColumnValues.of(new String[][] {texts})), "texts of every kind");

    assertThat((String[]) onlyColumn(read).page(0)).isEqualTo(texts);
  }

  @Test
  void everyCodeUnitSurvivesAlone() throws IOException {
    String[] texts = new String[Character.MAX_VALUE + 1];
    Arrays.setAll(texts, c -> String.valueOf((char) c));

    assertRoundTrip(serializer, cargoOf(ColumnValues.of(new String[][] {texts})), "code units");
  }

  @Test
  void refusesMalformedUtf8() throws IOException {
    ChangeCargo cargo = cargoOf(ColumnValues.of(new String[][] {{"ä"}}));
    byte[] bytes = bytes(serializer, cargo);
    int deletedAndUpdatesBytes = 2; // nil and an empty array
    bytes[bytes.length - deletedAndUpdatesBytes - 2] = 'x'; // leaves a continuation byte

    assertFault(Fault.DECODE, () -> read(serializer, bytes, MAX_BYTES))
        .hasMessageContaining("a text of 2 bytes is no UTF-8");
  }

  @Test
  void refusesAStreamCutAnywhere() throws IOException {
    SerializerChecks.assertEveryCutIsRefused(serializer, bytes(serializer, RandomCargo.of(3, 70)));
  }

  @Test
  void everyFlippedBitIsHarmless() throws IOException {
    SerializerChecks.assertEveryFlipIsHarmless(
        serializer, bytes(serializer, RandomCargo.of(4, 20)), 1 << 20);
  }

  @Test
  void refusesBytesBehindTheCargo() throws IOException {
    byte[] bytes = bytes(serializer, RandomCargo.of(5, 5));

    assertFault(
            Fault.DECODE, () -> read(serializer, Arrays.copyOf(bytes, bytes.length + 1), MAX_BYTES))
        .hasMessageContaining("behind the cargo");
  }

  @ParameterizedTest
  @EnumSource
  void refusesAPageBeyondTheLimitBeforeItIsAllocated(ColumnType type) throws IOException {
    byte[] hostile =
        hostile(
            packer -> {
              packer.packArrayHeader(4).packInt(type.id()).packLong(1).packNil().packArrayHeader(1);
              MsgpackPages.writeHeader(packer, type, 1 << 28);
            });

    assertFault(Fault.LIMIT, () -> read(serializer, hostile, MAX_BYTES))
        .hasMessageContaining("the limit is 104,857,600");
  }

  @Test
  void refusesEveryOtherLengthBeyondTheLimitBeforeItIsAllocated() throws IOException {
    int many = 1 << 28;
    assertLimit(
        packer -> packer.packArrayHeader(4).packInt(5).packLong(1).packNil().packArrayHeader(many));
    assertLimit(
        packer ->
            packer.packArrayHeader(4).packInt(5).packLong(1).packArrayHeader(2).packLong(1L << 40));
    assertLimit(
        packer -> packer.packArrayHeader(4).packInt(5).packLong(1).packArrayHeader(2).packLong(-1));
    assertLimit(packer -> oneText(packer).packRawStringHeader(many));
    assertLimit(packer -> oneText(packer).packExtensionTypeHeader((byte) 1, many));
  }

  private static MessagePacker oneText(MessagePacker packer) throws IOException {
    packer.packArrayHeader(4).packInt(8).packLong(1).packNil().packArrayHeader(1);
    return packer.packArrayHeader(1);
  }

  private void assertLimit(Packing values) throws IOException {
    byte[] hostile = hostile(values);
    assertFault(Fault.LIMIT, () -> read(serializer, hostile, MAX_BYTES));
  }

  @Test
  void refusesWhatIsNoPartOfACargo() throws IOException {
    byte[] noArray = {(byte) 0xC0};
    byte[] wrongLength = {(byte) 0x93};
    byte[] otherExtension =
        hostile(
            packer ->
                oneText(packer).packExtensionTypeHeader((byte) 9, 2).writePayload(new byte[2]));

    assertFault(Fault.DECODE, () -> read(serializer, noArray, MAX_BYTES))
        .hasMessageContaining("Expected Array, but got Nil");
    assertFault(Fault.DECODE, () -> read(serializer, wrongLength, MAX_BYTES))
        .hasMessageContaining("an array of 3 where a cargo is one of 4");
    assertFault(Fault.DECODE, () -> read(serializer, otherExtension, MAX_BYTES))
        .hasMessageContaining("an extension of type 9 and 2 bytes");
  }

  @Test
  void readsACargoThatFitsAndRefusesOneThatDoesNot() throws IOException {
    ChangeCargo cargo = cargoOf(RandomCargo.column(4, ColumnType.LONG, 1_000, false));
    byte[] bytes = bytes(serializer, cargo);

    assertThat(CargoDigest.of(read(serializer, bytes, 9_000))).isEqualTo(CargoDigest.of(cargo));
    assertFault(Fault.LIMIT, () -> read(serializer, bytes, 8_000));
  }

  @Test
  void formatIsFrozen() throws IOException {
    SerializerChecks.assertGolden(serializer);
  }

  private interface Packing {
    void pack(MessagePacker packer) throws IOException;
  }

  /** A cargo of one column, up to its values. */
  private static byte[] hostile(Packing values) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (MessagePacker packer = MessagePack.newDefaultPacker(bytes)) {
      packer.packArrayHeader(4).packLong(1).packLong(2).packLong(3).packArrayHeader(1);
      packer.packArrayHeader(4).packString("t").packArrayHeader(1);
      packer.packArrayHeader(2).packString("c");
      values.pack(packer);
    }
    return bytes.toByteArray();
  }
}
