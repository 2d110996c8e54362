package io.drayage.baseline.msgpack;

import static io.drayage.internal.Texts.format;

import io.drayage.baseline.stream.MemoryAccount;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.TextPage;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import java.io.IOException;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.msgpack.core.MessagePacker;
import org.msgpack.core.MessageUnpacker;

/**
 * Whole arrays in MessagePack, value by value; bytes in one payload. Texts are strings while they
 * are written and read. Reading is not thread-safe.
 */
final class MsgpackArrays {
  /** The character that a decoder inserts for malformed bytes. */
  private static final char REPLACEMENT = '\uFFFD';

  private static final int SCRATCH_BYTES = 8_192;

  private final MessageUnpacker unpacker;
  private final MemoryAccount memory;
  private final byte[] scratch = new byte[SCRATCH_BYTES];

  /**
   * @param memory charged with strings, by their bytes in the stream
   */
  MsgpackArrays(MessageUnpacker unpacker, MemoryAccount memory) {
    this.unpacker = unpacker;
    this.memory = memory;
  }

  static void write(MessagePacker packer, ColumnType type, Object array) throws IOException {
    if (type != ColumnType.BYTE) {
      packer.packArrayHeader(Array.getLength(array));
    }
    if (array instanceof long[] longs) {
      for (long value : longs) {
        packer.packLong(value);
      }
    } else if (array instanceof int[] ints) {
      for (int value : ints) {
        packer.packInt(value);
      }
    } else if (array instanceof double[] doubles) {
      for (double value : doubles) {
        packer.packDouble(value);
      }
    } else if (array instanceof float[] floats) {
      for (float value : floats) {
        packer.packFloat(value);
      }
    } else if (array instanceof short[] shorts) {
      for (short value : shorts) {
        packer.packShort(value);
      }
    } else if (array instanceof boolean[] booleans) {
      for (boolean value : booleans) {
        packer.packBoolean(value);
      }
    } else if (array instanceof byte[] bytes) {
      packer.packBinaryHeader(bytes.length).writePayload(bytes);
    } else {
      for (String string : (String[]) array) {
        packer.packString(string);
      }
    }
  }

  /** Reads the number of values that follow, as the stream states it. */
  int readHeader(ColumnType type) throws IOException {
    return type == ColumnType.BYTE ? unpacker.unpackBinaryHeader() : unpacker.unpackArrayHeader();
  }

  /** Reads the values after a header, as a page. There is memory for {@code count} values. */
  Object read(ColumnType type, int count) throws IOException {
    if (type == ColumnType.STRING) {
      return readStrings(count);
    }
    Object array = type.newPage(count);
    if (array instanceof long[] longs) {
      for (int i = 0; i < count; i++) {
        longs[i] = unpacker.unpackLong();
      }
    } else if (array instanceof int[] ints) {
      for (int i = 0; i < count; i++) {
        ints[i] = unpacker.unpackInt();
      }
    } else if (array instanceof double[] doubles) {
      for (int i = 0; i < count; i++) {
        doubles[i] = unpacker.unpackDouble();
      }
    } else if (array instanceof float[] floats) {
      for (int i = 0; i < count; i++) {
        floats[i] = unpacker.unpackFloat();
      }
    } else if (array instanceof short[] shorts) {
      for (int i = 0; i < count; i++) {
        shorts[i] = unpacker.unpackShort();
      }
    } else if (array instanceof boolean[] booleans) {
      for (int i = 0; i < count; i++) {
        booleans[i] = unpacker.unpackBoolean();
      }
    } else {
      unpacker.readPayload((byte[]) array);
    }
    return array;
  }

  private TextPage readStrings(int count) throws IOException {
    String[] strings = new String[count];
    for (int i = 0; i < count; i++) {
      strings[i] = readString();
    }
    return TextPage.of(strings);
  }

  /** Whether the stream has more values. */
  boolean hasNext() throws IOException {
    return unpacker.hasNext();
  }

  /**
   * Reads a string.
   *
   * @throws ShipmentException {@code LIMIT} if it is longer than the memory that is left, {@code
   *     DECODE} if it is not UTF-8
   */
  String readString() throws IOException {
    int length = unpacker.unpackRawStringHeader();
    byte[] bytes = readPayload(length);
    String text = new String(bytes, 0, length, StandardCharsets.UTF_8);
    if (text.indexOf(REPLACEMENT) >= 0) {
      requireWellFormed(bytes, length);
    }
    return text;
  }

  private static void requireWellFormed(byte[] bytes, int length) throws ShipmentException {
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, 0, length));
    } catch (CharacterCodingException e) {
      throw new ShipmentException(
          Fault.DECODE, format("a text of %,d bytes is no UTF-8: %s", length, e.getMessage()), e);
    }
  }

  private byte[] readPayload(int length) throws IOException {
    memory.charge(length, 1);
    byte[] bytes = length <= scratch.length ? scratch : new byte[length];
    unpacker.readPayload(bytes, 0, length);
    return bytes;
  }
}
