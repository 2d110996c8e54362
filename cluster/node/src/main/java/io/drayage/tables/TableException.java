package io.drayage.tables;

import io.drayage.cargo.Names;
import io.drayage.frame.MessageForUsers;
import java.io.IOException;
import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * A table that cannot be read, written or queried. The message is for users, and names the table
 * and the reason. It may quote the file. Unprintable characters are then shown as their numbers.
 */
public class TableException extends IOException implements MessageForUsers {
  @Serial private static final long serialVersionUID = 1;

  public TableException(@Nullable String message, @Nullable Throwable cause) {
    super(message == null ? null : Names.printable(message), cause);
  }

  public TableException(String message) {
    this(message, null);
  }
}
