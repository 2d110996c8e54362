package io.drayage.snapshot;

import io.drayage.frame.MessageForUsers;
import java.io.IOException;
import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** A snapshot in the store is missing or wrong. The message names the snapshot. */
public final class SnapshotException extends IOException implements MessageForUsers {
  @Serial private static final long serialVersionUID = 1;

  public SnapshotException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  public SnapshotException(String message) {
    super(message);
  }
}
