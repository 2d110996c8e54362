package io.drayage.bench.page;

import java.util.Locale;

/** Makes text into HTML. */
final class Html {
  private Html() {}

  /** As the content of an element, or of an attribute in double quotes. */
  static String escape(String text) {
    StringBuilder escaped = new StringBuilder(text.length() + 16);
    text.codePoints().forEach(point -> append(escaped, point));
    return escaped.toString();
  }

  private static void append(StringBuilder escaped, int point) {
    switch (point) {
      case '&' -> escaped.append("&amp;");
      case '<' -> escaped.append("&lt;");
      case '>' -> escaped.append("&gt;");
      case '"' -> escaped.append("&quot;");
      case '\'' -> escaped.append("&#39;");
      case '\n', '\t' -> escaped.appendCodePoint(point);
      // Control characters are not allowed in HTML, not even escaped.
      default -> escaped.appendCodePoint(Character.isISOControl(point) ? '\uFFFD' : point);
    }
  }

  /** JSON for the inside of a script element: it cannot end the element. */
  static String scriptSafe(String json) {
    return json.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e");
  }

  /** For an id: {@code Stage utilisation} becomes {@code stage-utilisation}. */
  static String slug(String text) {
    String slug =
        text.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^-|-$", "");
    return slug.isEmpty() ? "section" : slug;
  }

  /** Whether a file is beside or below the page, with a name that an address can hold. */
  static boolean isBeside(String file) {
    return !file.startsWith("/")
        && !file.contains(":")
        && !file.contains("\\")
        && !file.contains("..");
  }

  /**
   * The address of a file beside the page.
   *
   * @throws IllegalArgumentException if it leads elsewhere
   */
  static String fileAddress(String file) {
    if (!isBeside(file)) {
      throw new IllegalArgumentException("%s is not beside the page".formatted(file));
    }
    return escape(file.replace("%", "%25").replace("#", "%23").replace("?", "%3F"));
  }
}
