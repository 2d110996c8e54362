package io.drayage.cli.output;

import io.drayage.frame.MessageForUsers;
import java.io.IOException;
import java.io.Serial;

/** Thrown if standard output cannot be written. */
public final class OutputException extends IOException implements MessageForUsers {
  @Serial private static final long serialVersionUID = 1;

  private final boolean isPipeClosed;

  private OutputException(String message, Throwable cause, boolean isPipeClosed) {
    super(message, cause);
    this.isPipeClosed = isPipeClosed;
  }

  static OutputException of(IOException failed) {
    String reason = String.valueOf(failed.getMessage());
    return new OutputException(
        "standard output: " + reason, failed, reason.contains("Broken pipe"));
  }

  static OutputException pipeClosed() {
    return new OutputException(
        "standard output: nobody reads it", new IOException("Broken pipe"), true);
  }

  /** Whether its reader has gone, such as {@code head}, which needs no message. */
  public boolean isPipeClosed() {
    return isPipeClosed;
  }
}
