package io.drayage.tables;

import java.io.IOException;
import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** A table that cannot be read, written or queried; the message says which and why, to a user. */
public final class TableException extends IOException {
  @Serial private static final long serialVersionUID = 1;

  public TableException(@Nullable String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  public TableException(String message) {
    this(message, null);
  }
}
