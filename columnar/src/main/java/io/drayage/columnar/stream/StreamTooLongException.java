package io.drayage.columnar.stream;

import java.io.Serial;

/** An encoding takes more bytes than values as they are: another one is tried. */
public final class StreamTooLongException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  public StreamTooLongException() {
    super("an encoding takes more than the values as they are", null, false, false);
  }
}
