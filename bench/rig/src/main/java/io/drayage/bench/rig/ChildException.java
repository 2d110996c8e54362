package io.drayage.bench.rig;

import java.io.Serial;

/** A child JVM could not do what it was told. The message names the child and the reason. */
public final class ChildException extends Exception {
  @Serial private static final long serialVersionUID = 1;

  private final boolean lost;

  private ChildException(String message, boolean lost) {
    super(message);
    this.lost = lost;
  }

  /** The child has reported that a command failed; it takes further commands. */
  static ChildException refused(String message) {
    return new ChildException(message, false);
  }

  /** The child is dead, or silent beyond its deadline: nothing more can be asked of it. */
  static ChildException lost(String message) {
    return new ChildException(message, true);
  }

  /** Whether nothing more can be asked of the child. */
  boolean isLost() {
    return lost;
  }
}
