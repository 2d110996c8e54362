package io.drayage.bench.report;

import java.io.IOException;
import java.io.Serial;

/** A file is not a result that can be shown. The message is one line: the reason and the remedy. */
public final class NoResultException extends IOException {
  @Serial private static final long serialVersionUID = 1;

  NoResultException(String message) {
    super(message);
  }
}
