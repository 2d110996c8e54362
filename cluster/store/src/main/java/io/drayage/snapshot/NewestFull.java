package io.drayage.snapshot;

import io.drayage.objectstore.StoredObject;
import io.drayage.snapshot.SnapshotKeys.Place;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The newest full snapshot of a store, and the number of log entries after it: a node that starts
 * loads both.
 *
 * @param timestamp of the snapshot
 * @param written the time of its creation, by the store's clock
 * @param entriesSince the number of log entries after it, up to the first of the last object
 */
public record NewestFull(long timestamp, Instant written, long entriesSince) {
  /**
   * Finds the newest full snapshot in the list of a store's manifests, as {@link
   * SnapshotCatalog#newestFull} has it; empty if there is none.
   */
  static Optional<NewestFull> of(List<StoredObject> manifests) {
    long timestamp = -1;
    Instant written = Instant.EPOCH;
    long log = -1;
    for (StoredObject manifest : manifests) {
      Place place = SnapshotKeys.place(manifest.key());
      if (place != null && place.logEntry()) {
        log = Math.max(log, place.timestamp());
      } else if (place != null && place.timestamp() > timestamp) {
        timestamp = place.timestamp();
        written = manifest.modified();
      }
    }
    return timestamp < 0
        ? Optional.empty()
        : Optional.of(new NewestFull(timestamp, written, Math.max(0, log - timestamp)));
  }
}
