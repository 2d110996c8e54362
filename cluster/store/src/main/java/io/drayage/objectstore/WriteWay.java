package io.drayage.objectstore;

import static io.drayage.internal.Texts.format;

import java.util.Arrays;

/**
 * Chooses the way in which the pieces of a store's files are written: into the page cache, or past
 * it. The page cache is the default, because the files are also read soon. A page cache that needs
 * fresh memory can be slower than a disk, above all in a virtual machine.
 *
 * <p>The writes themselves are measured: some pieces are written each way at first, and again after
 * every {@value #REVIEW_PIECES}. Thread-safe.
 */
final class WriteWay {
  /** Consecutive pieces that are written each way to compare. */
  static final int TRIAL_PIECES = 8;

  private static final int REVIEW_PIECES = 2048;

  /** The factor by which direct writes have to be faster: reads come from the page cache. */
  private static final int BIAS = 2;

  private final Times cached = new Times();
  private final Times direct = new Times();
  private boolean canBeDirect = true;
  private int next;

  /** The times of the last pieces. */
  private static final class Times {
    private final long[] lastNs = new long[TRIAL_PIECES];
    private int count;

    void add(long ns) {
      lastNs[count++ % TRIAL_PIECES] = ns;
    }

    long medianNs() {
      long[] sorted = Arrays.copyOf(lastNs, Math.min(count, TRIAL_PIECES));
      Arrays.sort(sorted);
      return sorted.length == 0 ? 0 : sorted[sorted.length / 2];
    }
  }

  /** Whether to write the next piece past the page cache. */
  synchronized boolean nextIsDirect() {
    int piece = next;
    next = (next + 1) % REVIEW_PIECES;
    if (!canBeDirect || piece < TRIAL_PIECES) {
      return false;
    }
    return piece < 2 * TRIAL_PIECES || isDirectBetter();
  }

  private boolean isDirectBetter() {
    return direct.count > 0 && BIAS * direct.medianNs() < cached.medianNs();
  }

  /** Records the time of a piece. */
  synchronized void written(boolean past, long ns) {
    (past ? direct : cached).add(ns);
  }

  /** Records that the file system cannot write past the page cache. */
  synchronized void excludeDirect() {
    canBeDirect = false;
  }

  /** Describes the choice and its measurements in words. */
  synchronized String describe() {
    if (!canBeDirect) {
      return "page cache";
    }
    if (direct.count == 0) {
      return "not measured";
    }
    return format(
        "%s (%,d us per MiB; past it %,d us)",
        isDirectBetter() ? "direct" : "page cache",
        cached.medianNs() / 1000,
        direct.medianNs() / 1000);
  }
}
