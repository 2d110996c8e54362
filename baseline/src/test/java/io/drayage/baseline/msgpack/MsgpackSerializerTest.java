package io.drayage.baseline.msgpack;

import static io.drayage.baseline.stream.SerializerChecks.MAX_BYTES;
import static io.drayage.baseline.stream.SerializerChecks.bytes;
import static io.drayage.baseline.stream.SerializerChecks.read;
import static io.drayage.testing.CargoBytes.cargoOf;
import static io.drayage.testing.Refusals.assertFault;
import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.codec.Serializer;
import io.drayage.codec.Serializers;
import io.drayage.frame.Fault;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.msgpack.core.MessagePack;
import org.msgpack.core.MessagePacker;

class MsgpackSerializerTest {
  private final Serializer serializer = Serializers.ofName("msgpack");

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
  void refusesMalformedUtf8() throws IOException {
    ChangeCargo cargo = cargoOf(ColumnValues.ofTexts(new String[][] {{"ä"}}));
    byte[] bytes = bytes(serializer, cargo);
    int deletedAndUpdatesBytes = 2; // nil and an empty array
    bytes[bytes.length - deletedAndUpdatesBytes - 2] = 'x'; // leaves a continuation byte

    assertFault(Fault.DECODE, () -> read(serializer, bytes, MAX_BYTES))
        .hasMessageContaining("a text of 2 bytes is no UTF-8");
  }

  @ParameterizedTest
  @EnumSource
  void refusesAPageBeyondTheLimitBeforeItIsAllocated(ColumnType type) throws IOException {
    byte[] hostile =
        hostile(
            packer -> {
              column(packer, type.id()).packNil().packArrayHeader(1);
              if (type == ColumnType.BYTE) {
                packer.packBinaryHeader(1 << 28);
              } else {
                packer.packArrayHeader(1 << 28);
              }
            });

    assertFault(Fault.LIMIT, () -> read(serializer, hostile, MAX_BYTES))
        .hasMessageContaining("the limit is 104,857,600");
  }

  @Test
  void refusesEveryOtherLengthBeyondTheLimitBeforeItIsAllocated() throws IOException {
    int many = 1 << 28;
    assertLimit(packer -> column(packer, 5).packNil().packArrayHeader(many));
    assertLimit(packer -> column(packer, 5).packArrayHeader(2).packLong(1L << 40));
    assertLimit(packer -> column(packer, 5).packArrayHeader(2).packLong(-1));
    assertLimit(packer -> oneText(packer).packRawStringHeader(many));
  }

  /** Begins a column of one row. */
  private static MessagePacker column(MessagePacker packer, int type) throws IOException {
    return packer.packArrayHeader(4).packInt(type).packLong(1);
  }

  private static MessagePacker oneText(MessagePacker packer) throws IOException {
    return column(packer, 8).packNil().packArrayHeader(1).packArrayHeader(1);
  }

  private void assertLimit(Packing values) throws IOException {
    byte[] hostile = hostile(values);
    assertFault(Fault.LIMIT, () -> read(serializer, hostile, MAX_BYTES));
  }

  @Test
  void refusesWhatIsNoPartOfACargo() throws IOException {
    byte[] noArray = {(byte) 0xC0};
    byte[] wrongLength = {(byte) 0x93};
    byte[] nil = hostile(packer -> oneText(packer).packNil());

    assertFault(Fault.DECODE, () -> read(serializer, noArray, MAX_BYTES))
        .hasMessageContaining("Expected Array, but got Nil");
    assertFault(Fault.DECODE, () -> read(serializer, wrongLength, MAX_BYTES))
        .hasMessageContaining("an array of 3 where a cargo is one of 4");
    assertFault(Fault.DECODE, () -> read(serializer, nil, MAX_BYTES))
        .hasMessageContaining("Expected String, but got Nil");
  }

  private interface Packing {
    void pack(MessagePacker packer) throws IOException;
  }

  /** Returns a cargo of one column, up to its values. */
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
