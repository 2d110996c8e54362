package io.drayage.cli.admin;

import io.drayage.receive.ShipmentProgress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the endpoint tells of a node.
 *
 * @param role primary, standby or follower
 * @param epoch of a primary; else null
 * @param snapshot the newest that it has loaded or made
 * @param published the newest that was published, as far as it was told
 * @param takeoverFailure why the elected node has not taken over; null if nothing is wrong
 * @param followFailure why it cannot advance; null if it can
 * @param shipments those under way
 */
record NodeState(
    String role,
    @Nullable Long epoch,
    long snapshot,
    long published,
    @Nullable String takeoverFailure,
    @Nullable String followFailure,
    List<ShipmentProgress> shipments) {
  /** Whether it does what its role asks. */
  boolean isWell() {
    return takeoverFailure == null && followFailure == null;
  }

  long lag() {
    return Math.max(0, published - snapshot);
  }
}
