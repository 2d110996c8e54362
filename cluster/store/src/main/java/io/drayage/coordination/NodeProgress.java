package io.drayage.coordination;

import io.drayage.objectstore.StoreFailure;
import org.jspecify.annotations.Nullable;

/**
 * The progress of a live node, and its use of memory, as the node itself reports them.
 *
 * @param loaded the newest snapshot that it has loaded. The value of a transactor is some tenths of
 *     a second old, that of a worker a second; 0 if not reported
 * @param epoch of the term in which it accepts cargoes; 0 if it accepts none
 * @param databaseBytes the memory of its database; 0 for a worker, which does not report it
 * @param maxDatabaseBytes the limit of that memory, {@link Long#MAX_VALUE} without a limit; 0 for a
 *     worker
 * @param fragmentBytes the memory of fragments of open transactions, a second ago; 0 for all nodes
 *     but a primary
 * @param store the name of its object store; empty if not reported
 * @param failure the reason why it cannot go on; null if it can
 * @param storeFailure the last failed write to its store; null if a primary could write lately, and
 *     for other nodes
 */
public record NodeProgress(
    long loaded,
    long epoch,
    long databaseBytes,
    long maxDatabaseBytes,
    long fragmentBytes,
    String store,
    @Nullable String failure,
    @Nullable StoreFailure storeFailure) {
  /** The progress of a node that has not reported any. */
  public static final NodeProgress UNKNOWN = new NodeProgress(0, 0);

  /** A progress of which only snapshot and epoch matter. */
  public NodeProgress(long loaded, long epoch) {
    this(loaded, epoch, 0, 0, 0, "", null, null);
  }
}
