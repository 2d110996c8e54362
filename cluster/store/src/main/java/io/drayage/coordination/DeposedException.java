package io.drayage.coordination;

import static io.drayage.internal.Texts.format;

import java.io.Serial;

/** Another node is primary: the timestamp was not published, and must not be. */
public final class DeposedException extends CoordinationException {
  @Serial private static final long serialVersionUID = 1;

  /**
   * @param epoch of the deposed primary
   * @param successor the epoch of its successor
   */
  public DeposedException(long timestamp, long epoch, long successor) {
    super(
        format(
            "snapshot %d was not published: epoch %d is over, %d has taken over",
            timestamp, epoch, successor),
        null);
  }
}
