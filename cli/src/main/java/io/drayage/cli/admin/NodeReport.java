package io.drayage.cli.admin;

import io.drayage.coordination.Maintenance;
import org.jspecify.annotations.Nullable;

/**
 * A node in the answer of {@code /readyz}.
 *
 * @param role {@code primary}, {@code standby} or {@code follower}
 * @param epoch of a primary's term; null for others
 * @param snapshot the newest one that it has loaded
 * @param published the newest published one that it knows of
 * @param maintenance of its cluster; null of a node that accepts no cargoes in any case
 * @param failure why it cannot go on; null if it can
 */
public record NodeReport(
    String name,
    String role,
    @Nullable Long epoch,
    long snapshot,
    long published,
    @Nullable Maintenance maintenance,
    @Nullable String failure) {

  /** The published snapshots that it has not loaded. */
  public long lag() {
    return Math.max(0, published - snapshot);
  }
}
