package io.drayage.transactor;

import static io.drayage.internal.Texts.format;

import io.drayage.coordination.Term;
import io.drayage.database.ForeignDatabaseException;
import io.drayage.database.LogPosition;
import io.drayage.objectstore.ObjectExistsException;
import io.drayage.replica.Replica;
import io.drayage.snapshot.SnapshotEntry;
import io.drayage.snapshot.SnapshotException;
import io.drayage.snapshot.SnapshotKind;
import io.drayage.snapshot.SnapshotManifest;
import io.drayage.snapshot.StoreIdentity;
import java.io.IOException;
import java.io.Serial;
import java.lang.System.Logger.Level;
import java.time.Instant;

/**
 * The steps from an election to the first commit. May be repeated if it fails. Not thread-safe.
 *
 * <p>The takeover adopts unpublished log entries, because their commits may have been acknowledged.
 * Its own entry closes the log to all former primaries, because each entry can be created only
 * once. A takeover does not append after a higher epoch. Nor does it append after its own epoch if
 * another node has used it, which can happen if ZooKeeper lost its data. So epochs never decrease
 * along the log.
 */
final class Takeover {
  private static final System.Logger LOG = System.getLogger(Takeover.class.getName());

  private final Replica replica;
  private final Term term;
  private final String cluster;

  /** The id of its entry, which distinguishes it from another takeover of the same epoch. */
  private final Instant created = Instant.now();

  /** The log has entries of this epoch or a higher one: this term cannot begin. */
  static final class LowEpochException extends IOException {
    @Serial private static final long serialVersionUID = 1;

    LowEpochException(long epoch, long snapshot, long newest) {
      super(
          format(
              "epoch %d cannot follow snapshot %d, which has epoch %d", epoch, snapshot, newest));
    }
  }

  /**
   * A completed takeover.
   *
   * @param entry the newest entry of the log
   */
  record Done(Term term, SnapshotEntry entry) {}

  /**
   * @param cluster the address of the cluster, for messages
   */
  Takeover(Replica replica, Term term, String cluster) {
    this.replica = replica;
    this.term = term;
    this.cluster = cluster;
  }

  /**
   * @throws LowEpochException if the node has to be elected again
   * @throws ForeignDatabaseException if the store does not hold the database of the cluster
   * @throws IOException if the log cannot be read, written or published now, or has a gap
   */
  Done run() throws IOException {
    requirePublished();
    replica.advance(Long.MAX_VALUE);
    requireReached();
    SnapshotEntry newest = replica.newest();
    while (!isOurs(newest)) {
      if (replica.epoch() >= term.epoch()) {
        throw new LowEpochException(term.epoch(), replica.position().timestamp(), replica.epoch());
      }
      append(newest.position());
      replica.advance(Long.MAX_VALUE);
      newest = replica.newest();
    }
    term.publish(newest.position());
    if (term.publishedBefore().isEmpty()) {
      LOG.log(
          Level.INFO, "{0} has database {1} from now on", cluster, replica.database().toString());
    }
    return new Done(term, newest);
  }

  private void append(LogPosition before) throws IOException {
    try {
      SnapshotEntry unused =
          replica
              .catalog()
              .append(
                  SnapshotManifest.entry(
                      new SnapshotKind.Takeover(term.cluster()), before, term.epoch(), created));
    } catch (ObjectExistsException e) {
      // Created by a former primary, or by us with the answer lost: the log decides.
    }
  }

  private boolean isOurs(SnapshotEntry entry) {
    return entry.manifest().isTakeover()
        && entry.manifest().epoch() == term.epoch()
        && entry.manifest().created().equals(created);
  }

  /** Fails if the log ends before the published snapshot. */
  private void requireReached() throws IOException {
    long reached = replica.position().timestamp();
    long published = term.publishedBefore().map(LogPosition::timestamp).orElse(reached);
    if (reached < published) {
      throw new SnapshotException(
          format(
              "snapshot %d was published, but the log in %s can be loaded only up to %d",
              published, replica.catalog().store().name(), reached));
    }
  }

  /** Fails if the log lacks the published entry. */
  private void requirePublished() throws IOException {
    LogPosition published = term.publishedBefore().orElse(null);
    if (published == null) {
      return;
    }
    StoreIdentity identity = new StoreIdentity(replica.catalog(), replica.database(), cluster);
    switch (identity.find(published)) {
      case HERE -> identity.requireGoesOnHere(published, term.cluster());
      case NOT_YET ->
          throw new SnapshotException(
              format(
                  "snapshot %d was published, but the log ends at %d: %s has lost snapshots, or is another store",
                  published.timestamp(),
                  replica.catalog().newestTimestamp(),
                  replica.catalog().store().name()));
      case NO_LONGER -> throw identity.noLonger(published);
    }
  }
}
