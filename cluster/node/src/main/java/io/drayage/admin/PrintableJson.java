package io.drayage.admin;

import static io.drayage.internal.Texts.format;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.CharacterEscapes;
import com.fasterxml.jackson.core.io.SerializedString;
import org.jspecify.annotations.Nullable;

/**
 * JSON that cannot change the state of a terminal. Besides the characters that JSON requires, it
 * escapes characters that are not printed, such as DEL, C1 controls, marks of the direction of
 * writing and line separators. Letters of any alphabet stay as they are.
 */
final class PrintableJson extends JsonFactory {
  private static final long serialVersionUID = 1;

  PrintableJson() {
    setCharacterEscapes(new Escapes());
  }

  private static final class Escapes extends CharacterEscapes {
    private static final long serialVersionUID = 1;
    private static final int DEL = 0x7f;

    @Override
    public int[] getEscapeCodesForAscii() {
      int[] codes = standardAsciiEscapesForJSON();
      codes[DEL] = ESCAPE_STANDARD;
      return codes;
    }

    /** Escapes surrogates too, because half of a pair could not be written to a file. */
    @Override
    public @Nullable SerializableString getEscapeSequence(int character) {
      return switch (Character.getType(character)) {
        case Character.CONTROL,
            Character.FORMAT,
            Character.LINE_SEPARATOR,
            Character.PARAGRAPH_SEPARATOR,
            Character.SURROGATE,
            Character.UNASSIGNED,
            Character.PRIVATE_USE ->
            new SerializedString(format("\\u%04x", character));
        default -> null;
      };
    }
  }
}
