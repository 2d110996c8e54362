package io.drayage.coordination;

import java.io.IOException;
import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** The coordination service did not answer. A retry may succeed. */
public class CoordinationException extends IOException {
  @Serial private static final long serialVersionUID = 1;

  /**
   * @param message names what was asked of whom, and why it failed
   */
  public CoordinationException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /** The same, where nothing else failed. */
  public CoordinationException(String message) {
    super(message);
  }
}
