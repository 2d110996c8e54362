package io.drayage.baseline.msgpack;

import static io.drayage.internal.Texts.format;

import io.drayage.baseline.stream.MemoryAccount;
import io.drayage.cargo.ColumnType;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import java.io.IOException;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.msgpack.core.ExtensionTypeHeader;
import org.msgpack.core.MessagePacker;
import org.msgpack.core.MessageUnpacker;
import org.msgpack.value.ValueType;

/**
 * Whole arrays in MessagePack, value by value; bytes in one payload. Texts are nil for null, a
 * string for what UTF-8 can hold. A text with an unpaired surrogate, which UTF-8 has no form for
 * and the packer would silently replace, is an extension of type {@value #UTF_16_EXTENSION}: its
 * UTF-16 code units, big-endian. Reading is not thread-safe.
 */
final class MsgpackArrays {
  /** Frozen; extension types 0 to 127 are the application's own. */
  static final byte UTF_16_EXTENSION = 1;

  /** What a decoder puts where bytes are malformed. */
  private static final char REPLACEMENT = '\uFFFD';

  private static final int SCRATCH_BYTES = 8_192;

  private final MessageUnpacker unpacker;
  private final MemoryAccount memory;
  private final byte[] scratch = new byte[SCRATCH_BYTES];

  /**
   * @param memory what texts are charged to, by the bytes that they take in the stream
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
      for (@Nullable String text : (String[]) array) {
        writeText(packer, text);
      }
    }
  }

  private static void writeText(MessagePacker packer, @Nullable String text) throws IOException {
    if (text == null) {
      packer.packNil();
    } else if (hasUnpairedSurrogate(text)) {
      byte[] units = new byte[Math.multiplyExact(text.length(), Character.BYTES)];
      ByteBuffer.wrap(units).asCharBuffer().put(text);
      packer.packExtensionTypeHeader(UTF_16_EXTENSION, units.length).writePayload(units);
    } else {
      packer.packString(text);
    }
  }

  private static boolean hasUnpairedSurrogate(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        boolean paired =
            i + 1 < text.length() && Character.isSurrogatePair(text.charAt(i), text.charAt(i + 1));
        if (!paired) {
          return true;
        }
        i++;
      }
    }
    return false;
  }

  /** How many values follow, as the stream states it. */
  int readHeader(ColumnType type) throws IOException {
    return type == ColumnType.BYTE ? unpacker.unpackBinaryHeader() : unpacker.unpackArrayHeader();
  }

  /** Reads the values behind a header; there is memory for {@code count}. */
  Object read(ColumnType type, int count) throws IOException {
    Object array = Array.newInstance(type.pageClass().getComponentType(), count);
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
    } else if (array instanceof byte[] bytes) {
      unpacker.readPayload(bytes);
    } else {
      @Nullable String[] texts = (String[]) array;
      for (int i = 0; i < count; i++) {
        texts[i] = readText();
      }
    }
    return array;
  }

  /** Whether the stream goes on. */
  boolean hasNext() throws IOException {
    return unpacker.hasNext();
  }

  /**
   * Reads a text or nil.
   *
   * @throws ShipmentException {@code LIMIT} if it is longer than the memory that is left, {@code
   *     DECODE} if it is no text
   */
  @Nullable String readText() throws IOException {
    ValueType type = unpacker.getNextFormat().getValueType();
    if (type == ValueType.NIL) {
      unpacker.unpackNil();
      return null;
    }
    return type == ValueType.EXTENSION ? readUtf16() : readUtf8();
  }

  private String readUtf8() throws IOException {
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

  private String readUtf16() throws IOException {
    ExtensionTypeHeader header = unpacker.unpackExtensionTypeHeader();
    int length = header.getLength();
    if (header.getType() != UTF_16_EXTENSION || length % Character.BYTES != 0) {
      throw new ShipmentException(
          Fault.DECODE,
          format(
              "an extension of type %d and %,d bytes where a text belongs",
              header.getType(), length));
    }
    return ByteBuffer.wrap(readPayload(length), 0, length).asCharBuffer().toString();
  }

  private byte[] readPayload(int length) throws IOException {
    memory.charge(length, 1);
    byte[] bytes = length <= scratch.length ? scratch : new byte[length];
    unpacker.readPayload(bytes, 0, length);
    return bytes;
  }
}
