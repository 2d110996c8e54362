package io.drayage.columnar;

import java.io.Serial;

/** An encoding takes more bytes than values as they are: another one is tried. */
final class StreamTooLongException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  StreamTooLongException() {
    super("an encoding takes more than the values as they are", null, false, false);
  }
}
