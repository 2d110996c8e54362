package io.drayage.bench.report;

import java.io.IOException;
import java.io.Serial;

/** A file holds no result that can be shown. The message, one line, says why and what to do. */
public final class NoResultException extends IOException {
  @Serial private static final long serialVersionUID = 1;

  NoResultException(String message) {
    super(message);
  }
}
