package io.drayage.cargo;

import static io.drayage.internal.Texts.format;

import java.io.Serial;

/** A text that is no well-formed UTF-8, or a string that has none: with an unpaired surrogate. */
public final class IllegalTextException extends IllegalArgumentException {
  @Serial private static final long serialVersionUID = 1;

  private final long row;
  private final String reason;

  /**
   * @param row of the text, from 0
   * @param reason what is wrong with it, as in "has ..."
   */
  public IllegalTextException(long row, String reason) {
    super(format("the text in row %,d %s", row, reason));
    this.row = row;
    this.reason = reason;
  }

  private IllegalTextException(String where, long row, String reason) {
    super(format("the text in row %,d of %s %s", row, where, reason));
    this.row = row;
    this.reason = reason;
  }

  /** What is wrong with the text, as in "has ...". */
  public String reason() {
    return reason;
  }

  /** The row of the text, from 0 unless {@link #in} counts it otherwise. */
  public long row() {
    return row;
  }

  IllegalTextException countedFrom(long firstRow) {
    return new IllegalTextException(firstRow + row, reason);
  }

  /**
   * The same, of a place that is known only further out.
   *
   * @param where the column and its table
   * @param firstRow of the rows that were counted from 0: 1 for those of a file
   */
  public IllegalTextException in(String where, long firstRow) {
    return new IllegalTextException(where, firstRow + row, reason);
  }
}
