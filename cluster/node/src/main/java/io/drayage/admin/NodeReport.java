package io.drayage.admin;

import io.drayage.coordination.Maintenance;
import io.drayage.transactor.Lag;
import org.jspecify.annotations.Nullable;

/**
 * A node in the answer of {@code /readyz}.
 *
 * @param role {@code primary}, {@code standby} or {@code follower}
 * @param epoch of a primary's term; null for others
 * @param snapshot the newest one that it has loaded
 * @param published the newest published one that it knows of
 * @param behind how far it is behind; null if it does not know yet what is published
 * @param maintenance of its cluster; null of a node that accepts no cargoes in any case
 * @param failure why it cannot go on; null if it can
 */
public record NodeReport(
    String name,
    String role,
    @Nullable Long epoch,
    long snapshot,
    long published,
    @Nullable Lag behind,
    @Nullable Maintenance maintenance,
    @Nullable String failure) {

  /** Whether it has loaded all but the newest. */
  public boolean isCaughtUp() {
    return behind != null && behind.isCaughtUp();
  }

  /** The published snapshots that it has not loaded. */
  public long lag() {
    return Math.max(0, published - snapshot);
  }
}
