package io.drayage.bench.rig;

import io.drayage.frame.MessageForUsers;
import java.io.Serial;

/** A child JVM could not execute a command. The message names the child and the reason. */
public final class ChildException extends Exception implements MessageForUsers {
  @Serial private static final long serialVersionUID = 1;

  private final boolean lost;

  private ChildException(String message, boolean lost) {
    super(message);
    this.lost = lost;
  }

  /** Makes the exception of a command that failed in a child which accepts further commands. */
  static ChildException refused(String message) {
    return new ChildException(message, false);
  }

  /** Makes the exception of a child that is dead, or silent beyond its deadline. */
  static ChildException lost(String message) {
    return new ChildException(message, true);
  }

  /** Checks whether the child can execute no further command. */
  boolean isLost() {
    return lost;
  }
}
