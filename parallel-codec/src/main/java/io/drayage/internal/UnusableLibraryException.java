package io.drayage.internal;

import java.io.Serial;

/** A native library cannot be loaded on this machine. The data is not at fault. */
public final class UnusableLibraryException extends UnsupportedOperationException {
  @Serial private static final long serialVersionUID = 1;

  UnusableLibraryException(String message, Throwable cause) {
    super(message, cause);
  }
}
