package io.drayage.snapshot.recovery;

import static io.drayage.internal.Texts.format;

import io.drayage.database.ForeignDatabaseException;
import io.drayage.snapshot.SnapshotCatalog;
import io.drayage.snapshot.SnapshotEntry;
import io.drayage.snapshot.SnapshotException;
import java.io.IOException;
import java.util.OptionalInt;
import java.util.UUID;

/** Checks a store before a database is copied or restored to it. */
final class CopyTarget {
  private CopyTarget() {}

  /** Fails if the store has snapshots. */
  static void requireEmpty(SnapshotCatalog target) throws IOException {
    if (!target.fullTimestamps().isEmpty()) {
      throw new SnapshotException(
          target.store().name() + " holds a database: restore to a store without snapshots");
    }
    if (!target.logObjects().isEmpty()) {
      throw new SnapshotException(
          target.store().name()
              + " holds a log without a full snapshot, as a restore that was killed leaves it: delete what is there, or restore to another store");
    }
  }

  /** Fails unless the contents of the store are part of the database that is copied. */
  static void requireSame(
      SnapshotCatalog source, SnapshotCatalog target, UUID database, long reached)
      throws IOException {
    UUID there = target.database().orElse(database);
    if (!there.equals(database)) {
      throw new ForeignDatabaseException(
          "%s holds database %s, and %s database %s: copy to a place of its own"
              .formatted(target.store().name(), there, source.store().name(), database));
    }
    SnapshotEntry last = target.newestEntry();
    if (last == null) {
      return;
    }
    long newest = last.manifest().timestamp();
    if (newest > reached) {
      throw new SnapshotException(
          format(
              "%s holds more of database %s than this, or another history: it is at snapshot %d, and this would end at %d",
              target.store().name(), database, newest, reached));
    }
    if (source.checksum(newest).isPresent()) {
      requireSameEntry(source, target, last);
      return;
    }
    // The log in the target is older than the rest of the log in the source. Only takeovers, which
    // stay for ever, are compared.
    for (SnapshotEntry takeover : target.takeovers(newest)) {
      requireSameEntry(source, target, takeover);
    }
  }

  /** Fails if a cluster has written to the copy. */
  private static void requireSameEntry(
      SnapshotCatalog source, SnapshotCatalog target, SnapshotEntry there) throws IOException {
    long timestamp = there.manifest().timestamp();
    OptionalInt here = source.checksum(timestamp);
    if (here.isEmpty() || here.getAsInt() != there.checksum()) {
      throw new ForeignDatabaseException(
          format(
              "%s holds another history of database %s than %s: its snapshot %d has checksum %08x, and %s; a cluster has written to this copy",
              target.store().name(),
              there.manifest().database(),
              source.store().name(),
              timestamp,
              there.checksum(),
              here.isEmpty() ? "is not here" : format("%08x here", here.getAsInt())));
    }
  }
}
