package io.drayage.baseline.fory;

import io.drayage.cargo.CargoSize;
import io.drayage.cargo.ColumnType;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import org.apache.fory.Fory;
import org.apache.fory.memory.MemoryBuffer;
import org.apache.fory.serializer.StringSerializer;
import org.jspecify.annotations.Nullable;

/**
 * Fory's form of single arrays:
 *
 * <pre>
 *   primitives   bytes as variable u32 | values, little-endian
 *   texts        for each: -3 for null, else -1 | 4 * bytes + coder as variable u36 | characters
 * </pre>
 *
 * The coder is 0 for one byte a character (Latin-1), 1 for two, little-endian: unpaired surrogates
 * survive. Not thread-safe.
 */
final class ForyArrays {
  /** Of a variable u32. */
  static final int MAX_OVERHEAD_BYTES = 5;

  /** Flag and length of a text. */
  static final int MAX_TEXT_OVERHEAD_BYTES = 6;

  private static final int CODER_BITS = 2;
  private static final long LATIN1 = 0;
  private static final long UTF16 = 1;

  private final Fory fory;
  private final StringSerializer strings;
  private final Map<ColumnType, org.apache.fory.serializer.Serializer<Object>> primitives =
      new EnumMap<>(ColumnType.class);

  ForyArrays() {
    this.fory =
        Fory.builder()
            .withXlang(false)
            .withCompatible(false)
            .requireClassRegistration(true)
            .withRefTracking(false)
            .withNumberCompressed(false)
            .withStringCompressed(false)
            .withCodegen(false)
            .withAsyncCompilation(false)
            // What a stream may allocate is charged to a MemoryAccount, before Fory sees it.
            .withMaxGraphMemoryBytes(Long.MAX_VALUE)
            .build();
    this.strings = fory.getReadContext().getStringSerializer();
    for (ColumnType type : ColumnType.values()) {
      if (type.isFixedWidth()) {
        primitives.put(type, primitiveSerializer(type));
      }
    }
  }

  /** Of the class of the pages of {@code type}, which alone it is given. */
  @SuppressWarnings("unchecked")
  private org.apache.fory.serializer.Serializer<Object> primitiveSerializer(ColumnType type) {
    return (org.apache.fory.serializer.Serializer<Object>) fory.getSerializer(type.pageClass());
  }

  /** Appends a whole array of {@code type} to {@code target}, which grows. */
  void write(MemoryBuffer target, ColumnType type, Object array) {
    if (!type.isFixedWidth()) {
      writeTexts(target, (String[]) array);
      return;
    }
    fory.getWriteContext().prepare(target, null);
    try {
      primitives.get(type).write(fory.getWriteContext(), array);
    } finally {
      fory.getWriteContext().reset();
    }
  }

  private void writeTexts(MemoryBuffer target, @Nullable String[] texts) {
    for (String text : texts) {
      if (text == null) {
        target.writeByte(Fory.NULL_FLAG);
      } else {
        target.writeByte(Fory.NOT_NULL_VALUE_FLAG);
        strings.writeString(target, text);
      }
    }
  }

  /**
   * Reads an array of {@code count} values, for which there is memory.
   *
   * @throws ShipmentException {@code DECODE} if it is none
   * @throws RuntimeException if the source ends too early
   */
  Object read(MemoryBuffer source, ColumnType type, int count) throws ShipmentException {
    return type.isFixedWidth() ? readPrimitives(source, type, count) : readTexts(source, count);
  }

  private Object readPrimitives(MemoryBuffer source, ColumnType type, int count)
      throws ShipmentException {
    int start = source.readerIndex();
    int bytes = source.readVarUInt32Small7();
    if (bytes != (long) count * type.widthBytes()) {
      throw new ShipmentException(
          Fault.DECODE,
          String.format(
              Locale.ROOT, "%,d bytes where %,d values of %s belong", bytes, count, type));
    }
    source.checkReadableBytes(bytes);
    if (type == ColumnType.BOOLEAN) {
      requireBooleans(source, count);
    }
    source.readerIndex(start);
    fory.getReadContext().prepare(source, null, false);
    try {
      return primitives.get(type).read(fory.getReadContext());
    } finally {
      fory.getReadContext().reset();
    }
  }

  /** Fory copies memory; a boolean of another value would be neither true nor false. */
  private static void requireBooleans(MemoryBuffer source, int count) throws ShipmentException {
    for (int i = source.readerIndex(); i < source.readerIndex() + count; i++) {
      if ((source.getByte(i) & ~1) != 0) {
        throw new ShipmentException(
            Fault.DECODE, String.format(Locale.ROOT, "the boolean 0x%02x", source.getByte(i)));
      }
    }
  }

  private @Nullable String[] readTexts(MemoryBuffer source, int count) throws ShipmentException {
    @Nullable String[] texts = new String[count];
    for (int i = 0; i < count; i++) {
      byte flag = source.readByte();
      if (flag == Fory.NOT_NULL_VALUE_FLAG) {
        texts[i] = readText(source);
      } else if (flag != Fory.NULL_FLAG) {
        throw new ShipmentException(
            Fault.DECODE, String.format(Locale.ROOT, "the flag %d before a text", flag));
      }
    }
    return texts;
  }

  /** Fory makes a string of the bytes as they are, so that they must be as Java has them. */
  private String readText(MemoryBuffer source) throws ShipmentException {
    int start = source.readerIndex();
    long header = source.readVarUint36Small();
    long bytes = header >>> CODER_BITS;
    long coder = header & ((1 << CODER_BITS) - 1);
    boolean isText =
        bytes <= source.remaining() && (coder == LATIN1 || (coder == UTF16 && bytes % 2 == 0));
    if (isText) {
      source.readerIndex(start);
      String text = strings.readString(source);
      if (coder == LATIN1 || !CargoSize.isLatin1(text)) {
        return text;
      }
    }
    throw new ShipmentException(
        Fault.DECODE,
        String.format(
            Locale.ROOT,
            "a text of %,d bytes, coder %d, in the %,d that are left",
            bytes,
            coder,
            source.remaining()));
  }

  /** Whether it reads what it wrote. */
  boolean isEcho() {
    MemoryBuffer buffer = MemoryBuffer.newHeapBuffer(64);
    write(buffer, ColumnType.LONG, new long[] {1});
    write(buffer, ColumnType.STRING, new String[] {"a汉", "ä", null});
    try {
      long[] longs = (long[]) read(buffer, ColumnType.LONG, 1);
      String[] texts = (String[]) read(buffer, ColumnType.STRING, 3);
      return longs[0] == 1 && "a汉".equals(texts[0]) && "ä".equals(texts[1]) && texts[2] == null;
    } catch (ShipmentException e) {
      return false;
    }
  }
}
