package io.drayage.bench.system;

import java.io.IOException;
import java.io.Serial;

/** A system cannot be run here. The message, one line, says why and what to do. */
public final class UnusableSystemException extends IOException {
  @Serial private static final long serialVersionUID = 1;

  public UnusableSystemException(String message) {
    super(message);
  }
}
