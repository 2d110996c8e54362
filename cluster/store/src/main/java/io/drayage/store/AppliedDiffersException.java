package io.drayage.store;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.CargoDigest;
import java.io.IOException;
import java.io.Serial;

/**
 * An entry of the log changes something else here than it is said to: this node, the one that wrote
 * the entry, or its data is wrong. What is in memory is still the snapshot before.
 */
public final class AppliedDiffersException extends IOException {
  @Serial private static final long serialVersionUID = 1;

  private final long timestamp;

  /**
   * @param expected the {@link io.drayage.cargo.AppliedDigest} that is to be found
   * @param found the one of what was applied here
   */
  public AppliedDiffersException(long timestamp, long expected, long found) {
    super(
        format(
            "snapshot %d is applied differently here: its changes have digest %s, expected %s",
            timestamp, CargoDigest.toHex(found), CargoDigest.toHex(expected)));
    this.timestamp = timestamp;
  }

  /** The entry. */
  public long timestamp() {
    return timestamp;
  }
}
