package io.drayage.duckdb.file;

import java.util.Arrays;

/** How many of each delimiter stand outside of the quotes of a line of CSV. Not thread-safe. */
final class DelimiterCounts {
  private static final String DELIMITERS = ",;\t|";

  private final long[] counts = new long[DELIMITERS.length()];
  private boolean quoted;

  /** Whether a quote here would open: at the start of a value, or as the second of a pair. */
  private boolean mayOpen = true;

  /**
   * Takes the next byte.
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

  /** How many of them there are any of. */
  long kinds() {
    return Arrays.stream(counts).filter(count -> count > 0).count();
  }

  DelimiterCounts copy() {
    DelimiterCounts copy = new DelimiterCounts();
    System.arraycopy(counts, 0, copy.counts, 0, counts.length);
    return copy;
  }

  /** Forgets those of which another line has more or fewer. */
  void keepEqual(DelimiterCounts other) {
    for (int i = 0; i < counts.length; i++) {
      counts[i] = counts[i] == other.counts[i] ? counts[i] : 0;
    }
  }

  /** Of the one that there is most of. */
  long count() {
    return Arrays.stream(counts).max().orElse(0);
  }

  /** The one that there is most of, the first of equals; empty if there is none. */
  String most() {
    int most = 0;
    for (int i = 1; i < counts.length; i++) {
      most = counts[i] > counts[most] ? i : most;
    }
    return counts[most] == 0 ? "" : DELIMITERS.substring(most, most + 1);
  }
}
