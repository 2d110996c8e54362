package io.drayage.cargo;

import java.util.Locale;

/** What a table or a column may be called. */
final class Names {
  /** The longest name, in UTF-16 code units. */
  static final int MAX_LENGTH = 1_000;

  private Names() {}

  static void check(String kind, String name) {
    if (name.isEmpty() || name.length() > MAX_LENGTH) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "a %s name must have 1 to %,d characters, not %,d",
              kind,
              MAX_LENGTH,
              name.length()));
    }
    // Names travel as UTF-8, which would turn it into another name.
    if (name.codePoints().anyMatch(Names::isSurrogate)) {
      throw new IllegalArgumentException(
          "the %s name '%s' has an unpaired surrogate".formatted(kind, name));
    }
  }

  private static boolean isSurrogate(int codePoint) {
    return codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
  }
}
