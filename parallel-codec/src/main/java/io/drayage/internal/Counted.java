package io.drayage.internal;

import static io.drayage.internal.Texts.format;

/** A number with its noun, for messages. */
public final class Counted {
  private Counted() {}

  /**
   * Returns {@code 1 row}, {@code 2,000 rows}.
   *
   * @param noun the singular: {@code raw byte}, {@code entry}
   */
  public static String of(long count, String noun) {
    if (count == 1) {
      return "1 " + noun;
    }
    String many = noun.endsWith("y") ? noun.substring(0, noun.length() - 1) + "ies" : noun + "s";
    return format("%,d %s", count, many);
  }
}
