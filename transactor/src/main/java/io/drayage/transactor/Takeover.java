package io.drayage.transactor;

import io.drayage.coordination.Term;
import io.drayage.objectstore.ObjectExistsException;
import io.drayage.snapshot.CrashPoint;
import io.drayage.snapshot.SnapshotEntry;
import io.drayage.snapshot.SnapshotException;
import io.drayage.snapshot.SnapshotKind;
import io.drayage.snapshot.SnapshotManifest;
import java.io.IOException;
import java.time.Instant;
import java.util.Locale;

/**
 * The steps from an election to the first commit. May be repeated if it fails.
 *
 * <p>Unpublished log entries are adopted: their commits may have been acknowledged. The takeover's
 * own entry closes the log to all former primaries, because each entry can be created only once.
 */
final class Takeover {
  private final Replica replica;
  private final Term term;

  /**
   * A completed takeover.
   *
   * @param entry the newest entry of the log
   */
  record Done(Term term, SnapshotEntry entry) {}

  Takeover(Replica replica, Term term) {
    this.replica = replica;
    this.term = term;
  }

  /**
   * @throws IOException if the log cannot be read, written or published now, or has a gap
   */
  Done run() throws IOException {
    replica.advance(Long.MAX_VALUE);
    requirePublished();
    CrashPoint.RECOVERED.reach();
    SnapshotEntry newest = replica.position().entry();
    while (newest == null || !isOurs(newest)) {
      append();
      replica.advance(Long.MAX_VALUE);
      newest = replica.position().entry();
    }
    CrashPoint.TAKEN_OVER.reach();
    term.publish(replica.snapshot().timestamp());
    return new Done(term, newest);
  }

  private void append() throws IOException {
    Replica.Position before = replica.position();
    try {
      SnapshotEntry unused =
          replica
              .catalog()
              .append(
                  SnapshotManifest.takeover(
                      before.timestamp() + 1, term.epoch(), before.checksum(), Instant.now()));
    } catch (ObjectExistsException e) {
      // Created by a former primary, or by us with the answer lost: the log will tell.
    }
  }

  private boolean isOurs(SnapshotEntry entry) {
    return entry.manifest().kind() == SnapshotKind.TAKEOVER
        && entry.manifest().epoch() == term.epoch();
  }

  /** All published snapshots must be in the log. */
  private void requirePublished() throws IOException {
    long published = term.publishedBefore();
    long reached = replica.snapshot().timestamp();
    if (published > reached) {
      throw new SnapshotException(
          String.format(
              Locale.ROOT,
              "snapshot %d was published, but the log ends at %d: %s has lost snapshots, or is another store",
              published,
              reached,
              replica.catalog().store().name()),
          null);
    }
  }
}
