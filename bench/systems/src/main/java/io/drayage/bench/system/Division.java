package io.drayage.bench.system;

import static io.drayage.internal.Texts.format;

/** Who ships what of a cargo. */
public enum Division {
  /** Each worker a cargo of its own. */
  EACH,
  /** One worker all of it. */
  ALONE,
  /** Each worker a share of it, in a commit of its own. */
  COMMITS,
  /** Each worker a share of it, all in one transaction. */
  TOGETHER;

  /** How many workers ship, of those that there are. */
  public int workers(int all) {
    return this == ALONE ? 1 : all;
  }

  /** Whether the workers ship shares of one cargo. */
  public boolean isShared() {
    return this == COMMITS || this == TOGETHER;
  }

  /** What is added to a system's name. */
  String suffix(int workers) {
    return switch (this) {
      case EACH, ALONE -> "";
      case COMMITS -> format(" commits=%d", workers);
      case TOGETHER -> format(" together=%d", workers);
    };
  }
}
