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
public record TableCell(
    String text, @Nullable Double value, @Nullable Double share, Tone tone, boolean wraps) {
  /** The cell of a value that was not measured. Sorted last. */
  public static final TableCell NONE = new TableCell("-", null, null, Tone.PLAIN, false);

  /** A text on one line. */
  public static TableCell text(String text) {
    return new TableCell(text, null, null, Tone.PLAIN, false);
  }

  /** A number, with its text. */
  public static TableCell number(double value, String text) {
    return new TableCell(text, value, null, Tone.PLAIN, false);
  }

  /** Whether nothing was measured. */
  public boolean isNone() {
    return value == null && text.equals(NONE.text);
  }

  public TableCell bar(double newShare) {
    return new TableCell(text, value, Math.max(0, Math.min(1, newShare)), tone, wraps);
  }

  /** Changes the emphasis. */
  public TableCell tone(Tone newTone) {
    return new TableCell(text, value, share, newTone, wraps);
  }

  /** Lets a long text fill several lines. */
  public TableCell wrapped() {
    return new TableCell(text, value, share, tone, true);
  }

  TableCell withText(String newText) {
    return new TableCell(newText, value, share, tone, wraps);
  }
}
