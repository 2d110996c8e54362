package io.drayage.snapshot;

import io.drayage.objectstore.StoredObject;
import io.drayage.snapshot.SnapshotKeys.Place;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The newest full snapshot of a store, and how long the log behind it is: a node that starts loads
 * both.
 *
 * @param timestamp of the snapshot
 * @param written when, by the store's clock
 * @param entriesSince the entries of the log since
 */
public record NewestFull(long timestamp, Instant written, long entriesSince) {
  /**
   * The newest one of a store's manifests, as {@link SnapshotCatalog#newestFull} lists them; empty
   * if there is no full snapshot.
   */
  static Optional<NewestFull> of(List<StoredObject> manifests) {
    long timestamp = -1;
    Instant written = Instant.EPOCH;
    List<Long> log = new ArrayList<>();
    for (StoredObject manifest : manifests) {
      Place place = SnapshotKeys.place(manifest.key());
      if (place != null && place.logEntry()) {
        log.add(place.timestamp());
      } else if (place != null && place.timestamp() > timestamp) {
        timestamp = place.timestamp();
        written = manifest.modified();
      }
    }
    long newest = timestamp;
    return newest < 0
        ? Optional.empty()
        : Optional.of(
            new NewestFull(newest, written, log.stream().filter(entry -> entry > newest).count()));
  }
}
