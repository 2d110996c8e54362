package io.drayage.coordination;

import io.drayage.frame.MessageForUsers;
import java.io.IOException;
import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** The coordination service did not answer. A retry may succeed. */
public class CoordinationException extends IOException implements MessageForUsers {
  @Serial private static final long serialVersionUID = 1;

  /**
   * @param message names the operation, the address, and the reason of the failure
   */
  public CoordinationException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /** A failure that has no exception as its cause. */
  public CoordinationException(String message) {
    super(message);
  }
}
