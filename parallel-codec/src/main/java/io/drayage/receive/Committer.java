package io.drayage.receive;

import io.drayage.frame.ShipmentException;
import io.drayage.segment.Manifest;

/**
 * The database behind a transactor: makes a cargo take effect, as it was {@linkplain CargoCommitter
 * decoded} or together with what was {@linkplain RecordedCommitter recorded} of it.
 */
public sealed interface Committer permits CargoCommitter, RecordedCommitter {
  /**
   * Refuses a cargo of segments of which its manifest shows already that it will not fit. Not asked
   * while another shipment of the same transaction is under way. Called by codec threads: does not
   * wait for a commit.
   *
   * @throws ShipmentException {@code FULL}, with the figures
   */
  default void requireRoom(Manifest manifest) throws ShipmentException {}
}
