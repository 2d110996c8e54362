package io.drayage.store;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.CargoDigest;
import io.drayage.frame.MessageForUsers;
import java.io.IOException;
import java.io.Serial;

/**
 * Thrown if the changes of a log entry differ on this node from the digest in the entry. This node,
 * the node that wrote the entry, or its data is wrong. The snapshot before stays in memory.
 */
public final class AppliedDiffersException extends IOException implements MessageForUsers {
  @Serial private static final long serialVersionUID = 1;

  private final long timestamp;

  /**
   * @param expected the {@link io.drayage.cargo.AppliedDigest} in the entry
   * @param found the digest of the changes applied here
   */
  public AppliedDiffersException(long timestamp, long expected, long found) {
    super(
        format(
            "snapshot %d is applied differently here: its changes have digest %s, expected %s",
            timestamp, CargoDigest.toHex(found), CargoDigest.toHex(expected)));
    this.timestamp = timestamp;
  }

  /** The timestamp of the entry. */
  public long timestamp() {
    return timestamp;
  }
}
