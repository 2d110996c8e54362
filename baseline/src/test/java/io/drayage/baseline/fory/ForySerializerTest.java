package io.drayage.baseline.fory;

import static io.drayage.baseline.stream.SerializerChecks.MAX_BYTES;
import static io.drayage.baseline.stream.SerializerChecks.bytes;
import static io.drayage.baseline.stream.SerializerChecks.read;
import static io.drayage.testing.Faults.assertFault;
import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.baseline.stream.StreamSerializer;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.RandomCargo;
import io.drayage.codec.Serializer;
import io.drayage.codec.Serializers;
import io.drayage.frame.Fault;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ForySerializerTest {
  private final Serializer serializer = Serializers.ofName("fory");

  @Test
  void readsNothingBehindTheCargo() throws IOException {
    byte[] bytes = bytes(serializer, RandomCargo.of(5, 5));
    ByteArrayInputStream in = new ByteArrayInputStream(Arrays.copyOf(bytes, bytes.length + 9));

    StreamSerializer.read(serializer, in, MAX_BYTES);

    assertThat(in.available()).isEqualTo(9);
  }

  @ParameterizedTest
  @EnumSource
  void refusesAPageBeyondTheLimitBeforeItIsAllocated(ColumnType type) {
    byte[] hostile = hostile(type, 0, 1, 1 << 28, Integer.MAX_VALUE);

    assertFault(Fault.LIMIT, () -> read(serializer, hostile, MAX_BYTES))
        .hasMessageContaining("the limit is 104,857,600");
  }

  @Test
  void refusesEveryOtherLengthBeyondTheLimitBeforeItIsAllocated() {
    int many = 1 << 28;
    assertLimit(hostile(ColumnType.LONG, 0, many));
    assertLimit(hostile(ColumnType.LONG, 0, -1));
    assertLimit(hostile(ColumnType.LONG, 0, 1, -1, 9));
    assertLimit(hostile(ColumnType.STRING, 0, 1, 1, many));
    assertLimit(hostile(ColumnType.STRING, 0, 1, 1, -1));
    assertLimit(hostile(ColumnType.LONG, 2, 1));
    assertLimit(longs(buffer(), 1, 2, 3, many));
    assertLimit(longs(longs(buffer(), 1, 2, 3, 1), many, 0, 0));
    assertLimit(longs(longs(buffer(), 1, 2, 3, 1), 0, many, 0));
    assertLimit(bits(1L << 40));
    assertLimit(bits(-1));
    assertLimit(bits(Long.MAX_VALUE));
  }

  @Test
  void refusesAnArrayWhoseNumbersDisagree() {
    byte[] bytes = hostile(ColumnType.LONG, 0, 1, 2, 9);
    byte[] elements = allBytes(longs(buffer(), 1, 2, 3));

    assertFault(Fault.DECODE, () -> read(serializer, bytes, MAX_BYTES))
        .hasMessageContaining("9 bytes where an array of 2 LONG belongs");
    assertFault(Fault.DECODE, () -> read(serializer, elements, MAX_BYTES))
        .hasMessageContaining("an array of 3 where one of 4 belongs");
  }

  private void assertLimit(ByteBuffer hostile) {
    assertLimit(allBytes(hostile));
  }

  private void assertLimit(byte[] hostile) {
    assertFault(Fault.LIMIT, () -> read(serializer, hostile, MAX_BYTES));
  }

  private static ByteBuffer bits(long size) {
    return longs(names(longs(longs(buffer(), 1, 2, 3, 1), 0, 0, 1), "t"), size);
  }

  /** A cargo of one column, up to its first page, of which these ints are the header. */
  private static byte[] hostile(ColumnType type, long nullable, long pages, int... header) {
    ByteBuffer bytes = names(longs(longs(buffer(), 1, 2, 3, 1), 1, 0, 0), "t", "c");
    longs(bytes, type.id(), 1, nullable, pages);
    for (int field : header) {
      bytes.putInt(field);
    }
    return allBytes(bytes);
  }

  private static byte[] allBytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.capacity()];
    buffer.get(0, bytes);
    return bytes;
  }

  private static ByteBuffer buffer() {
    return ByteBuffer.allocate(1_024).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static ByteBuffer longs(ByteBuffer target, long... values) {
    int bytes = values.length * Long.BYTES;
    target.putInt(values.length).putInt(1 + bytes).put((byte) bytes);
    for (long value : values) {
      target.putLong(value);
    }
    return target;
  }

  private static ByteBuffer names(ByteBuffer target, String... names) {
    target.putInt(names.length).putInt(3 * names.length);
    for (String name : names) {
      target.put((byte) -1).put((byte) (1 << 2)).put((byte) name.charAt(0));
    }
    return target;
  }
}
