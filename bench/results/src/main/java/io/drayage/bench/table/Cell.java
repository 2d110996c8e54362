package io.drayage.bench.table;

import org.jspecify.annotations.Nullable;

/**
 * One cell of a table. Immutable.
 *
 * @param text as shown
 * @param value for sorting and export, in the column's unit; null to use the text
 * @param share the length of a bar, 0 to 1; null without a bar
 * @param wraps whether a long text may fill several lines
 */
public record Cell(
    String text, @Nullable Double value, @Nullable Double share, Tone tone, boolean wraps) {
  /** The cell of a value that was not measured. Sorted last. */
  public static final Cell NONE = new Cell("-", null, null, Tone.PLAIN, false);

  /** A text on one line. */
  public static Cell text(String text) {
    return new Cell(text, null, null, Tone.PLAIN, false);
  }

  /** A number, with its text. */
  public static Cell number(double value, String text) {
    return new Cell(text, value, null, Tone.PLAIN, false);
  }

  /** Whether nothing was measured. */
  public boolean isNone() {
    return value == null && text.equals(NONE.text);
  }

  public Cell bar(double newShare) {
    return new Cell(text, value, Math.max(0, Math.min(1, newShare)), tone, wraps);
  }

  /** Changes the emphasis. */
  public Cell tone(Tone newTone) {
    return new Cell(text, value, share, newTone, wraps);
  }

  /** Lets a long text fill several lines. */
  public Cell wrapped() {
    return new Cell(text, value, share, tone, true);
  }

  Cell withText(String newText) {
    return new Cell(newText, value, share, tone, wraps);
  }
}
