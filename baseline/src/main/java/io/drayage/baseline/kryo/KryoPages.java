package io.drayage.baseline.kryo;

import static io.drayage.internal.Texts.format;

import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import io.drayage.cargo.ColumnType;
import java.lang.reflect.Array;
import org.jspecify.annotations.Nullable;

/**
 * Arrays as Kryo's own serializers write them: the length plus one, then the elements. Those cannot
 * be used as they are, because they allocate what the length states.
 */
final class KryoPages {
  private KryoPages() {}

  /** Writes a whole page, spare rows included; null for one that was never filled. */
  static void write(Output output, @Nullable Object page) {
    if (page == null) {
      output.writeVarInt(0, true);
      return;
    }
    int length = Array.getLength(page);
    if (length > KryoAccount.MAX_LENGTH) {
      throw new IllegalArgumentException(
          format("a page of %,d rows exceeds Kryo's limit of %,d", length, KryoAccount.MAX_LENGTH));
    }
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
      for (String text : (String[]) page) {
        output.writeString(text);
      }
    }
  }

  /**
   * Reads the elements behind a page's length.
   *
   * @param length checked
   * @param account for texts
   */
  static Object readElements(Input input, ColumnType type, int length, KryoAccount account) {
    return switch (type) {
      case BOOLEAN -> readBooleans(input, length);
      case BYTE -> input.readBytes(length);
      case SHORT -> input.readShorts(length);
      case INT -> input.readInts(length, false);
      case LONG -> input.readLongs(length, false);
      case FLOAT -> input.readFloats(length);
      case DOUBLE -> input.readDoubles(length);
      case STRING -> readTexts(input, length, account);
    };
  }

  /** One by one: an unsafe copy of a peer's bytes would make booleans that are neither. */
  private static boolean[] readBooleans(Input input, int length) {
    boolean[] booleans = new boolean[length];
    for (int i = 0; i < length; i++) {
      booleans[i] = input.readBoolean();
    }
    return booleans;
  }

  private static String[] readTexts(Input input, int length, KryoAccount account) {
    String[] texts = new String[length];
    for (int i = 0; i < length; i++) {
      texts[i] = account.readText(input);
    }
    return texts;
  }
}
