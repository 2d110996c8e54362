package io.drayage.cargo;

import static io.drayage.internal.Texts.format;

/**
 * Names of tables, columns and workers, and texts of strangers. Names end up in logs, messages and
 * terminals, where control characters would do harm.
 */
public final class Names {
  /** The longest name of a table or column, in UTF-16 code units. */
  public static final int MAX_LENGTH = 1_000;

  /** Code units of a text that are shown. */
  private static final int MAX_SHOWN = 4_000;

  private static final int ZERO_WIDTH_NON_JOINER = 0x200C;
  private static final int ZERO_WIDTH_JOINER = 0x200D;

  private Names() {}

  /**
   * Checks the name of a table or column.
   *
   * @param kind the kind of the name, for the message
   * @throws IllegalArgumentException if the name is empty, longer than {@link #MAX_LENGTH}, or not
   *     {@link #isPrintable printable}; the message can be shown
   */
  public static void check(String kind, String name) {
    if (name.isEmpty() || name.length() > MAX_LENGTH) {
      throw new IllegalArgumentException(
          format(
              "a %s name must have 1 to %,d characters, not %,d", kind, MAX_LENGTH, name.length()));
    }
    check(kind, name, MAX_LENGTH);
  }

  /** Checks another name, which may be empty, and may have {@code maxLength} UTF-16 code units. */
  public static void check(String kind, String name, int maxLength) {
    if (name.length() > maxLength) {
      throw new IllegalArgumentException(
          format(
              "the %s name has %,d characters; the limit is %,d", kind, name.length(), maxLength));
    }
    if (!isPrintable(name)) {
      throw new IllegalArgumentException(
          "the %s name '%s' has a control character or an unpaired surrogate"
              .formatted(kind, printable(name)));
    }
  }

  /** The length of a text in UTF-8. Allocates nothing. Unpaired surrogates count as 2. */
  public static int utf8Bytes(String text) {
    int bytes = text.length();
    for (int i = 0; i < text.length(); i++) {
      char unit = text.charAt(i);
      bytes += unit < 0x80 ? 0 : unit < 0x800 || Character.isSurrogate(unit) ? 1 : 2;
    }
    return bytes;
  }

  /**
   * Whether a text has no control or format characters (except the joiners that some scripts need),
   * no line separators, and no unpaired surrogates, which UTF-8 would turn into something else.
   */
  public static boolean isPrintable(String text) {
    return text.codePoints().allMatch(Names::isPrintable);
  }

  private static boolean isPrintable(int codePoint) {
    return switch (Character.getType(codePoint)) {
      case Character.CONTROL,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE ->
          false;
      case Character.FORMAT -> codePoint == ZERO_WIDTH_NON_JOINER || codePoint == ZERO_WIDTH_JOINER;
      default -> true;
    };
  }

  /** A name with lower-case ASCII letters. Names with the same result are one name in SQL. */
  public static String folded(String name) {
    StringBuilder folded = new StringBuilder(name);
    for (int i = 0; i < name.length(); i++) {
      char letter = name.charAt(i);
      folded.setCharAt(i, letter >= 'A' && letter <= 'Z' ? (char) (letter + 32) : letter);
    }
    return folded.toString();
  }

  /**
   * A text of a stranger, for messages. Unprintable characters become their numbers. A long text is
   * cut.
   */
  public static String printable(String text) {
    String shown = text.length() > MAX_SHOWN ? text.substring(0, MAX_SHOWN) : text;
    return shown.length() == text.length()
        ? escaped(text)
        : escaped(shown) + format("... (%,d characters)", text.length());
  }

  /** A whole text of a stranger. Unprintable characters become their numbers. */
  public static String escaped(String text) {
    if (isPrintable(text)) {
      return text;
    }
    StringBuilder out = new StringBuilder(text.length());
    text.codePoints()
        .forEach(
            codePoint -> {
              if (isPrintable(codePoint)) {
                out.appendCodePoint(codePoint);
              } else {
                out.append(format("\\u%04X", codePoint));
              }
            });
    return out.toString();
  }
}
