package io.drayage.baseline.kryo;

import static io.drayage.internal.Texts.format;

import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import io.drayage.baseline.stream.MemoryAccount;
import io.drayage.baseline.stream.StudyTexts;
import io.drayage.cargo.CargoSize;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.TextPage;
import io.drayage.cargo.TextRun;
import java.lang.reflect.Array;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Arrays as Kryo's own serializers write them: the length plus one, then the elements. Kryo's own
 * serializers cannot be used, because they allocate the length that the stream states.
 *
 * <p>A page of texts is an array of strings, as in the study, or its bytes:
 *
 * <pre>
 *   rows + 1 (varint) | where each text begins, and the last one ends (i4 ...) | UTF-8
 * </pre>
 *
 * @param carriesStrings whether a page of texts is an array of strings
 */
record KryoPages(boolean carriesStrings) {
  /** Writes a whole page, spare rows included; null for a page that was never filled. */
  void write(Output output, @Nullable Object page) {
    if (page == null) {
      output.writeVarInt(0, true);
    } else if (!(page instanceof TextPage texts)) {
      writeArray(output, page);
    } else if (carriesStrings) {
      writeArray(output, StudyTexts.of(texts));
    } else {
      writeBytes(output, texts);
    }
  }

  private static void writeBytes(Output output, TextPage texts) {
    int rows = checked(texts.rows());
    long bytes = texts.byteCount(0, rows);
    if (bytes > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          format(
              "a page with texts of %,d bytes exceeds the limit of %,d", bytes, Integer.MAX_VALUE));
    }
    List<TextRun> runs = texts.runs(0, rows);
    int[] offsets = new int[rows + 1];
    int row = 0;
    for (TextRun run : runs) {
      int shift = offsets[row] - run.start(0);
      for (int i = 1; i <= run.rows(); i++) {
        offsets[row + i] = run.start(i) + shift;
      }
      row += run.rows();
    }
    output.writeVarInt(rows + 1, true);
    output.writeInts(offsets, 0, offsets.length, false);
    for (TextRun run : runs) {
      output.writeBytes(run.bytes(), run.start(0), run.byteCount());
    }
  }

  private static int checked(int length) {
    if (length > KryoAccount.MAX_LENGTH) {
      throw new IllegalArgumentException(
          format("a page of %,d rows exceeds Kryo's limit of %,d", length, KryoAccount.MAX_LENGTH));
    }
    return length;
  }

  private static void writeArray(Output output, Object page) {
    int length = checked(Array.getLength(page));
    output.writeVarInt(length + 1, true);
    if (page instanceof long[] longs) {
      output.writeLongs(longs, 0, length, false);
    } else if (page instanceof int[] ints) {
      output.writeInts(ints, 0, length, false);
    } else if (page instanceof double[] doubles) {
      output.writeDoubles(doubles, 0, length);
    } else if (page instanceof float[] floats) {
      output.writeFloats(floats, 0, length);
    } else if (page instanceof short[] shorts) {
      output.writeShorts(shorts, 0, length);
    } else if (page instanceof byte[] bytes) {
      output.writeBytes(bytes, 0, length);
    } else if (page instanceof boolean[] booleans) {
      for (boolean value : booleans) {
        output.writeBoolean(value);
      }
    } else {
      for (String string : (String[]) page) {
        output.writeString(string);
      }
    }
  }

  /** Bytes charged for a row. Each text is charged when it is read. */
  int rowBytes(ColumnType type) {
    return carriesStrings || type.isFixedWidth()
        ? MemoryAccount.elementBytes(type)
        : CargoSize.TEXT_LENGTH_BYTES;
  }

  /**
   * Reads the elements that follow a page's length: an array, or a page of texts.
   *
   * @param length checked
   * @param account for texts
   */
  Object readElements(Input input, ColumnType type, int length, KryoAccount account) {
    return switch (type) {
      case BOOLEAN -> readBooleans(input, length);
      case BYTE -> input.readBytes(length);
      case SHORT -> input.readShorts(length);
      case INT -> input.readInts(length, false);
      case LONG -> input.readLongs(length, false);
      case FLOAT -> input.readFloats(length);
      case DOUBLE -> input.readDoubles(length);
      case STRING ->
          carriesStrings ? readStrings(input, length, account) : readBytes(input, length, account);
    };
  }

  /** Reads each byte: an unsafe copy could make booleans that are neither true nor false. */
  private static boolean[] readBooleans(Input input, int length) {
    boolean[] booleans = new boolean[length];
    for (int i = 0; i < length; i++) {
      booleans[i] = input.readBoolean();
    }
    return booleans;
  }

  private static TextPage readStrings(Input input, int length, KryoAccount account) {
    String[] strings = new String[length];
    for (int i = 0; i < length; i++) {
      strings[i] = account.readString(input);
    }
    return TextPage.of(strings);
  }

  private static TextPage readBytes(Input input, int rows, KryoAccount account) {
    int[] offsets = input.readInts(rows + 1, false);
    return TextPage.of(input.readBytes(account.charged(offsets[rows])), offsets);
  }
}
