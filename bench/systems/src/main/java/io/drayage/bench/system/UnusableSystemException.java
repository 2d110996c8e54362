package io.drayage.bench.system;

import java.io.IOException;
import java.io.Serial;

/** A system cannot be run here. The message, one line, names the reason and the remedy. */
public final class UnusableSystemException extends IOException {
  @Serial private static final long serialVersionUID = 1;

  public UnusableSystemException(String message) {
    super(message);
  }
}
