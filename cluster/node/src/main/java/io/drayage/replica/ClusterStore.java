package io.drayage.replica;

import static io.drayage.internal.Texts.format;

import io.drayage.coordination.ClusterPresence;
import io.drayage.coordination.Coordination;
import io.drayage.database.LogPosition;
import io.drayage.snapshot.SnapshotCatalog;
import io.drayage.snapshot.SnapshotException;
import io.drayage.snapshot.StoreIdentity;
import io.drayage.transport.Backoff;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;

/** Checks a store and a cluster before they are used together. */
public final class ClusterStore {
  /** Time in which the list of a changing folder may lack the newest entry. */
  private static final Duration LATE_ENTRY = Duration.ofSeconds(5);

  private ClusterStore() {}

  /**
   * Waits until the store has the published snapshot, and returns its position.
   *
   * @param patience how long to wait for the first snapshot that is ever published; it also limits
   *     the wait of a few seconds for an entry that the store does not show yet
   * @throws io.drayage.coordination.CoordinationException if there is no cluster
   * @throws io.drayage.database.ForeignDatabaseException if the store does not hold its database
   * @throws SnapshotException if the store has no database yet, or lacks published entries
   */
  public static LogPosition awaitPublished(
      SnapshotCatalog catalog, Coordination coordination, Duration patience) throws IOException {
    String store = catalog.store().name();
    if (coordination.published().isEmpty()) {
      catalog.requireDatabase();
    }
    Late late = new Late(coordination, store, patience);
    while (true) {
      LogPosition published = ClusterPresence.awaitPublished(coordination, patience).position();
      if (StoreIdentity.compare(catalog, coordination)
          .filter(found -> found == StoreIdentity.Found.HERE)
          .isPresent()) {
        return published;
      }
      late.pause(published);
    }
  }

  /**
   * Loads the published snapshot.
   *
   * @throws SnapshotException if the log does not have it within a few seconds
   * @throws IOException as {@link Replica#advance(LogPosition, String)}
   */
  public static void load(
      Replica replica,
      LogPosition published,
      String store,
      Coordination coordination,
      Duration patience)
      throws IOException {
    Late late = new Late(coordination, store, patience);
    while (!replica.advance(published, coordination.name())) {
      late.pause(published);
    }
  }

  /** Waits for an entry that the store does not show yet. */
  private static final class Late {
    private final Coordination coordination;
    private final String store;
    private final Backoff backoff;

    Late(Coordination coordination, String store, Duration patience) {
      this.coordination = coordination;
      this.store = store;
      this.backoff = new Backoff(patience.compareTo(LATE_ENTRY) < 0 ? patience : LATE_ENTRY);
    }

    void pause(LogPosition published) throws IOException {
      try {
        if (!backoff.pause()) {
          throw new SnapshotException(
              format(
                  "snapshot %d is published by %s, but not in the log of %s: the store is an old"
                      + " copy, or has lost snapshots",
                  published.timestamp(), coordination.name(), store));
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted while it waited for a snapshot");
      }
    }
  }
}
