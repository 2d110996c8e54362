package io.drayage.bench.study;

import io.drayage.frame.MessageForUsers;
import java.io.Serial;

/** The failure of a study. The message is one line for the user. */
public final class StudyException extends Exception implements MessageForUsers {
  @Serial private static final long serialVersionUID = 1;

  private final boolean isWrongUsage;

  StudyException(String message, boolean isWrongUsage) {
    super(message);
    this.isWrongUsage = isWrongUsage;
  }

  /** Whether an argument was wrong, rather than the run. */
  public boolean isWrongUsage() {
    return isWrongUsage;
  }
}
