package io.drayage.cargo;

import static io.drayage.internal.Texts.format;

import java.io.Serial;

/** A text that is no well-formed UTF-8, or a string with an unpaired surrogate. */
public final class IllegalTextException extends IllegalArgumentException {
  @Serial private static final long serialVersionUID = 1;

  private final long row;
  private final String reason;

  /**
   * @param row the row of the text, from 0
   * @param reason the defect of the text, as in "has ..."
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

  /** The defect of the text, as in "has ...". */
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
   * Returns the same exception with a location that only the caller knows.
   *
   * @param where the column and its table
   * @param firstRow the number of the row that was counted as 0: 1 for rows of a file
   */
  public IllegalTextException in(String where, long firstRow) {
    return new IllegalTextException(where, firstRow + row, reason);
  }
}
