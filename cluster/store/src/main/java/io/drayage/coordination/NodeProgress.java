package io.drayage.coordination;

/**
 * What a live node tells of itself: how far it is, and how full.
 *
 * @param loaded the newest snapshot that it has loaded, some tenths of a second ago, of a worker a
 *     second; 0 if it has not told
 * @param epoch of the term in which it accepts cargoes; 0 if it does not
 * @param databaseBytes the memory that its database takes; 0 of a worker, which does not tell
 * @param maxDatabaseBytes how much it may take, {@link Long#MAX_VALUE} without a limit; 0 of a
 *     worker
 * @param fragmentBytes the memory of fragments of open transactions, a second ago; 0 of all but a
 *     primary
 * @param store the name of its object store; empty if it has not told
 */
public record NodeProgress(
    long loaded,
    long epoch,
    long databaseBytes,
    long maxDatabaseBytes,
    long fragmentBytes,
    String store) {
  /** The progress of a node that has not reported any. */
  public static final NodeProgress UNKNOWN = new NodeProgress(0, 0);

  /** How far a node is of which nothing else matters. */
  public NodeProgress(long loaded, long epoch) {
    this(loaded, epoch, 0, 0, 0, "");
  }
}
