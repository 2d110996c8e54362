package io.drayage.tables;

import io.drayage.cargo.Names;
import java.io.IOException;
import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * A table that cannot be read, written or queried; the message says which and why, to a user. It
 * may repeat what a file holds: unprintable characters are shown as their numbers.
 */
public class TableException extends IOException {
  @Serial private static final long serialVersionUID = 1;

  public TableException(@Nullable String message, @Nullable Throwable cause) {
    super(message == null ? null : Names.printable(message), cause);
  }

  public TableException(String message) {
    this(message, null);
  }
}
