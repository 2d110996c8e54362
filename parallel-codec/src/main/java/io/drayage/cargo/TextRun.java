package io.drayage.cargo;

import java.nio.charset.StandardCharsets;

/**
 * Some texts of a {@link TextPage}, one behind the other in one array, for reading without an
 * object for each. Text {@code i} is the bytes from {@link #start start(i)} to {@code start(i + 1)}
 * of {@link #bytes}. Immutable: the caller must not change a returned array.
 */
public final class TextRun {
  private final byte[] bytes;
  private final int[] offsets;
  private final int first;
  private final int rows;

  TextRun(byte[] bytes, int[] offsets, int first, int rows) {
    this.bytes = bytes;
    this.offsets = offsets;
    this.first = first;
    this.rows = rows;
  }

  /** Number of texts. */
  public int rows() {
    return rows;
  }

  /** The array with the bytes of all texts, and maybe of others before and behind them. */
  public byte[] bytes() {
    return bytes;
  }

  /** The start of text {@code row}, which is the end of the previous one; up to {@link #rows}. */
  public int start(int row) {
    return offsets[first + row];
  }

  /** Number of bytes of text {@code row}. */
  public int length(int row) {
    return offsets[first + row + 1] - offsets[first + row];
  }

  /** Number of bytes of all texts. */
  public int byteCount() {
    return offsets[first + rows] - offsets[first];
  }

  /**
   * Copies the end of each text.
   *
   * @param shift is added to each end
   */
  public void copyEnds(int shift, int[] target, int at) {
    System.arraycopy(offsets, first + 1, target, at, rows);
    for (int i = 0; shift != 0 && i < rows; i++) {
      target[at + i] += shift;
    }
  }

  /** Copies the number of bytes of each text. */
  public void copyLengths(int[] target, int at) {
    for (int i = 0; i < rows; i++) {
      target[at + i] = offsets[first + i + 1] - offsets[first + i];
    }
  }

  /** Text {@code row} as an object. */
  public String get(int row) {
    return new String(bytes, start(row), length(row), StandardCharsets.UTF_8);
  }

  /** An object that identifies the arrays: equal for runs of the same arrays. */
  Object arrays() {
    return offsets;
  }

  /** Bytes of the arrays that this run uses. */
  long usedBytes() {
    return byteCount() + (long) CargoSize.TEXT_LENGTH_BYTES * rows;
  }

  /** Bytes of the arrays. This run keeps all of them alive. */
  long heldBytes() {
    return bytes.length + (long) CargoSize.TEXT_LENGTH_BYTES * offsets.length;
  }

  /** The texts {@code from} to {@code from + count - 1} of this run, in the same arrays. */
  TextRun slice(int from, int count) {
    return from == 0 && count == rows ? this : new TextRun(bytes, offsets, first + from, count);
  }
}
