package io.drayage.replica;

import static io.drayage.internal.Texts.format;

import io.drayage.frame.MessageForUsers;
import java.io.IOException;
import java.io.Serial;

/** Thrown if the log no longer has changes, because full snapshots have replaced its begin. */
public final class LogTrimmedException extends IOException implements MessageForUsers {
  @Serial private static final long serialVersionUID = 1;

  /**
   * @param store its name
   * @param first the first wanted change
   * @param oldest the oldest change that the log has
   */
  LogTrimmedException(String store, long first, long oldest) {
    super(
        format(
            "the log of %s no longer has the changes from snapshot %d to %d: the oldest that can be read are those of snapshot %d",
            store, first, oldest - 1, oldest));
  }
}
