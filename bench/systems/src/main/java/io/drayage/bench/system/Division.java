package io.drayage.bench.system;

import static io.drayage.internal.Texts.format;

/** The division of a cargo among the workers. */
public enum Division {
  /** Each worker ships a cargo of its own. */
  EACH,
  /** One worker ships all of it. */
  ALONE,
  /** Each worker ships a share of it, in a commit of its own. */
  COMMITS,
  /** Each worker ships a share of it, all in one transaction. */
  TOGETHER;

  /** Number of workers that ship, if there are {@code all}. */
  public int workers(int all) {
    return this == ALONE ? 1 : all;
  }

  /** Whether the workers ship shares of one cargo. */
  public boolean isShared() {
    return this == COMMITS || this == TOGETHER;
  }

  /** Returns the suffix of a system's name. */
  String suffix(int workers) {
    return switch (this) {
      case EACH, ALONE -> "";
      case COMMITS -> format(" commits=%d", workers);
      case TOGETHER -> format(" together=%d", workers);
    };
  }
}
