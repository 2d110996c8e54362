package io.drayage.admin;

import io.drayage.coordination.Maintenance;
import io.drayage.database.FollowerStatus;
import io.drayage.database.Lag;
import io.drayage.objectstore.StoreFailure;
import io.drayage.transactor.NodeStatus;
import io.drayage.transactor.TransactorNode;
import io.drayage.worker.ChangeFeed;
import io.drayage.worker.Worker;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The state of a node, as its endpoint shows it.
 *
 * @param role {@code primary}, {@code standby} or {@code follower}
 * @param epoch of a primary's term; null for others
 * @param snapshot the newest loaded snapshot
 * @param published the newest published snapshot that the node knows
 * @param behind the lag of the node; null if it does not know yet what is published
 * @param maintenance of its cluster; null of a node that never accepts cargoes
 * @param failure the reason why the node cannot go on; null if it can
 * @param storeFailure the last failed write of a primary to its store; null if it could write
 *     lately, and for other nodes
 * @param transactor null for other nodes
 */
public record NodeReport(
    String name,
    String role,
    @Nullable Long epoch,
    long snapshot,
    long published,
    @Nullable Lag behind,
    @Nullable Maintenance maintenance,
    @Nullable String failure,
    @Nullable StoreFailure storeFailure,
    @Nullable TransactorReport transactor)
    implements FollowerStatus {

  /** The report of a transactor. */
  public static NodeReport of(TransactorNode node) {
    NodeStatus status = node.status();
    return new NodeReport(
        node.node().name(),
        status.isPrimary() ? "primary" : "standby",
        status.isPrimary() ? (Long) status.epoch() : null,
        status.snapshot(),
        status.published(),
        status.behind(),
        status.maintenance(),
        status.failure(),
        node.storeFailure(),
        TransactorReport.of(node));
  }

  /** The report of a worker with this name. */
  public static NodeReport of(String name, Worker worker) {
    IOException failure = worker.failure();
    return new NodeReport(
        name,
        "follower",
        null,
        worker.snapshot().timestamp(),
        worker.published(),
        worker.lag(),
        null,
        failure == null ? null : failure.getMessage(),
        null,
        null);
  }

  /** The report of a feed of changes with this name. */
  public static NodeReport of(String name, ChangeFeed feed) {
    return new NodeReport(
        name,
        "follower",
        null,
        feed.position(),
        feed.published(),
        feed.lag(),
        null,
        null,
        null,
        null);
  }

  /** Whether the node has loaded all snapshots but the newest. */
  public boolean isCaughtUp() {
    return behind != null && behind.isCaughtUp();
  }
}
