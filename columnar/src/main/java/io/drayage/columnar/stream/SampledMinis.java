package io.drayage.columnar.stream;

import io.drayage.columnar.kernel.MiniBlock;

/**
 * Which mini-blocks of a stream are read: all, or a sample that is spread over it, and larger the
 * more bytes are at stake. Not thread-safe; reused.
 */
final class SampledMinis {
  /** Mini-blocks of narrow values that stand side by side: they are packed together. */
  private static final int GROUP = 4;

  private static final int LEAST = GROUP;
  private static final int LEAST_NARROW = 2 * GROUP;
  private static final int MOST = 4 * GROUP;

  /** Within these limits, there is one for so many bytes, and at most one of so many. */
  private static final int BYTES_OF_ONE = 32 << 10;

  private static final int SHARE = 4;

  private int group = 1;

  /** From the first one of a group to that of the next. */
  private int stride = 1;

  private int first;

  /** Whether a sample of so many values is much less than all. */
  static boolean isWorth(int count) {
    return count >= 2 * SHARE * MiniBlock.VALUES;
  }

  void takeAll() {
    group = 1;
    stride = 1;
    first = 0;
  }

  /** Chooses a sample of values that {@link #isWorth} one; how many mini-blocks it has. */
  int take(Values values) {
    int all = values.count() / MiniBlock.VALUES;
    boolean narrow = values.rawWidth() < Integer.BYTES;
    int wanted = (int) ((long) values.count() * values.rawWidth() / BYTES_OF_ONE);
    int least = Math.max(narrow ? LEAST_NARROW : LEAST, wanted);
    int sampled = Math.min(Math.min(MOST, least), all / SHARE);
    group = narrow && sampled >= LEAST_NARROW ? GROUP : 1;
    int groups = sampled / group;
    stride = all / groups;
    first = (stride - group) / 2;
    return groups * group;
  }

  /** Where the values of a mini-block begin that is read. */
  int start(int mini) {
    return (first + mini / group * stride + mini % group) * MiniBlock.VALUES;
  }
}
