package io.drayage.snapshot;

import java.io.IOException;
import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** The snapshots in a store are not what they should be. Names the snapshot and what is wrong. */
public final class SnapshotException extends IOException {
  @Serial private static final long serialVersionUID = 1;

  public SnapshotException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
