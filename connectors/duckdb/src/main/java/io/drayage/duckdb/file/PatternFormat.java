package io.drayage.duckdb.file;

import java.util.List;
import java.util.Locale;

/** A format from the user, such as {@code %d.%m.%Y %H:%M}. */
final class PatternFormat implements MomentFormat {
  private static final String DIRECTIVES = "YmdbHMSfz%";
  private static final String NUMBERS = "YmdHMS";
  private static final List<String> MONTHS =
      List.of("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec");

  private final String pattern;

  /**
   * Checks the format.
   *
   * @throws IllegalArgumentException if it is wrong, with the possible ones
   */
  PatternFormat(String pattern) {
    this.pattern = pattern;
    boolean isPlain = pattern.chars().allMatch(c -> c < 0x80);
    for (int i = pattern.indexOf('%'); i >= 0; i = pattern.indexOf('%', i + 2)) {
      isPlain &= i + 1 < pattern.length() && DIRECTIVES.indexOf(pattern.charAt(i + 1)) >= 0;
    }
    boolean year = pattern.contains("%Y");
    boolean month = pattern.contains("%m") || pattern.contains("%b");
    if (!isPlain
        || year != month
        || year != pattern.contains("%d")
        || !(year || pattern.contains("%H"))) {
      throw new IllegalArgumentException(
          ("'%s' is no format of dates: write it with %%Y (four digits), %%m or %%b (Jan) and %%d,"
                  + " and for times %%H, %%M, %%S, %%f (fraction of a second) and %%z (offset), such"
                  + " as %%d.%%m.%%Y")
              .formatted(pattern));
    }
  }

  @Override
  public boolean read(Cell cell, Moment into) {
    MomentText text = new MomentText(cell);
    for (int i = 0; i < pattern.length(); i++) {
      char letter = pattern.charAt(i);
      boolean fits = letter == '%' ? directive(text, pattern.charAt(++i), i) : text.skip(letter);
      if (!fits) {
        return false;
      }
    }
    return text.end(into);
  }

  private boolean directive(MomentText text, char directive, int at) {
    // A number that another one follows directly must have its full width.
    int min = isBeforeNumber(at) ? 2 : 1;
    switch (directive) {
      case 'Y' -> {
        text.hasDate = true;
        text.year = text.number(4, 4);
      }
      case 'm' -> text.month = text.number(min, 2);
      case 'b' -> text.month = month(text);
      case 'd' -> text.day = text.number(min, 2);
      case 'H' -> {
        text.hasTime = true;
        text.hour = text.number(min, 2);
      }
      case 'M' -> text.minute = text.number(min, 2);
      case 'S' -> text.second = text.number(min, 2);
      case 'f' -> {
        return text.fraction();
      }
      case 'z' -> {
        return text.offset();
      }
      default -> {
        return text.skip('%');
      }
    }
    return true; // A missing part is -1, which is no valid day or time.
  }

  private boolean isBeforeNumber(int at) {
    return at + 2 < pattern.length()
        && pattern.charAt(at + 1) == '%'
        && NUMBERS.indexOf(pattern.charAt(at + 2)) >= 0;
  }

  private static int month(MomentText text) {
    StringBuilder name = new StringBuilder();
    while (name.length() < 3 && Character.isLetter(text.peek())) {
      name.append((char) text.peek());
      text.skip(text.peek());
    }
    return MONTHS.indexOf(name.toString().toLowerCase(Locale.ROOT)) + 1;
  }

  @Override
  public String toString() {
    return pattern;
  }
}
