package io.drayage.coordination;

import java.io.Serial;

/** Somebody else is primary now: whatever was to be published was not, and must not be. */
public final class DeposedException extends CoordinationException {
  @Serial private static final long serialVersionUID = 1;

  /**
   * @param epoch of the primary that is none any more
   * @param successor the epoch that was found
   */
  public DeposedException(long timestamp, long epoch, long successor) {
    super(
        "snapshot %d was not published: epoch %d is over, %d has taken over"
            .formatted(timestamp, epoch, successor),
        null);
  }
}
