package io.drayage.internal;

import java.io.Serial;

/** A native library cannot be loaded on this machine: the bytes or values are not at fault. */
public final class UnusableLibraryException extends UnsupportedOperationException {
  @Serial private static final long serialVersionUID = 1;

  UnusableLibraryException(String message, Throwable cause) {
    super(message, cause);
  }
}
