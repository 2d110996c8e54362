package io.drayage.duckdb.file;

import java.util.Arrays;

/** Number of each delimiter outside of the quotes of a line of CSV. Not thread-safe. */
final class DelimiterCounts {
  private static final String DELIMITERS = ",;\t|";

  private final long[] counts = new long[DELIMITERS.length()];
  private boolean quoted;

  /** Whether a quote here would open a text: it begins a value or is the second of a pair. */
  private boolean mayOpen = true;

  /**
   * Adds the next byte.
   *
   * @return false if it ends the line
   */
  boolean add(byte letter) {
    if (letter == '"') {
      boolean closes = quoted;
      quoted = !quoted && mayOpen;
      mayOpen = closes;
      return true;
    }
    if (!quoted) {
      if (letter == '\n' || letter == '\r') {
        return false;
      }
      int delimiter = letter < 0 ? -1 : DELIMITERS.indexOf(letter);
      mayOpen = delimiter >= 0;
      if (mayOpen) {
        counts[delimiter]++;
      }
    }
    return true;
  }

  /** Returns the number of delimiters that occur. */
  long kinds() {
    return Arrays.stream(counts).filter(count -> count > 0).count();
  }

  DelimiterCounts copy() {
    DelimiterCounts copy = new DelimiterCounts();
    System.arraycopy(counts, 0, copy.counts, 0, counts.length);
    return copy;
  }

  /** Removes delimiters that another line has more or less often. */
  void keepEqual(DelimiterCounts other) {
    for (int i = 0; i < counts.length; i++) {
      counts[i] = counts[i] == other.counts[i] ? counts[i] : 0;
    }
  }

  /** Returns the count of the most frequent one. */
  long count() {
    return Arrays.stream(counts).max().orElse(0);
  }

  /** Returns the most frequent one, the first of equals; empty if there is none. */
  String most() {
    int most = 0;
    for (int i = 1; i < counts.length; i++) {
      most = counts[i] > counts[most] ? i : most;
    }
    return counts[most] == 0 ? "" : DELIMITERS.substring(most, most + 1);
  }
}
