package io.drayage.duckdb.file;

/**
 * The format of {@code 2026-01-31} and {@code 23:59:59.999999}. With both, a blank or {@code T}
 * separates them, seconds are optional, and so is an offset such as {@code Z} or {@code +01:00}.
 */
final class IsoFormat implements MomentFormat {
  private static final int MIN_LENGTH = "23:59:59".length();

  @Override
  public boolean read(Cell cell, Moment into) {
    if (cell.length() < MIN_LENGTH || cell.bytes[cell.from] < '0' || cell.bytes[cell.from] > '9') {
      return false;
    }
    MomentText text = new MomentText(cell);
    if (cell.bytes[cell.from + 2] == ':') {
      return time(text, true) && text.end(into);
    }
    return date(text)
        && (text.atEnd()
            || ((text.skip(' ') || text.skip('T'))
                && time(text, false)
                && (text.atEnd() || text.offset())))
        && text.end(into);
  }

  private static boolean date(MomentText text) {
    text.hasDate = true;
    text.year = text.number(4, 4);
    boolean dashed = text.skip('-');
    text.month = text.number(2, 2);
    dashed &= text.skip('-');
    text.day = text.number(2, 2);
    return dashed;
  }

  private static boolean time(MomentText text, boolean needsSeconds) {
    text.hasTime = true;
    text.hour = text.number(2, 2);
    boolean hasMinutes = text.skip(':');
    text.minute = text.number(2, 2);
    if (!hasMinutes || !text.skip(':')) {
      return hasMinutes && !needsSeconds;
    }
    text.second = text.number(2, 2);
    return !text.skip('.') || text.fraction();
  }

  @Override
  public String toString() {
    return "ISO 8601";
  }
}
