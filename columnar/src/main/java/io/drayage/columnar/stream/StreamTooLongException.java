package io.drayage.columnar.stream;

import java.io.Serial;

/** An encoding needs more bytes than raw values, so another one is tried. */
public final class StreamTooLongException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  public StreamTooLongException() {
    super("an encoding needs more bytes than raw values", null, false, false);
  }
}
