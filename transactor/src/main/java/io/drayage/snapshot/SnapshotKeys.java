package io.drayage.snapshot;

import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Where snapshots lie in the object store. */
final class SnapshotKeys {
  static final String MANIFESTS = "snapshots/";
  static final String DATA = "data/";

  private static final Pattern MANIFEST = Pattern.compile("snapshots/([0-9]{20})\\.(commit|full)");

  private SnapshotKeys() {}

  /**
   * A place in the store's list of manifests.
   *
   * @param logEntry whether it belongs to the log, or is a full snapshot
   */
  record Place(boolean logEntry, long timestamp) {}

  /** All digits, so that the order of the keys is that of time. */
  static String manifest(boolean logEntry, long timestamp) {
    return "%s%020d.%s".formatted(MANIFESTS, timestamp, logEntry ? "commit" : "full");
  }

  /** What {@code key} is the manifest of; null if it is none. */
  static @Nullable Place place(String key) {
    Matcher matcher = MANIFEST.matcher(key);
    if (!matcher.matches()) {
      return null;
    }
    try {
      return new Place(matcher.group(2).equals("commit"), Long.parseLong(matcher.group(1)));
    } catch (NumberFormatException e) {
      return null;
    }
  }

  /** A new name for the frames of a transaction, whose place in the log is not known yet. */
  static String data(UUID transactionId) {
    return DATA + transactionId + "-" + UUID.randomUUID();
  }

  /** A new name for a part of a full snapshot. */
  static String fullData(long timestamp, String part) {
    return "%s%020d-%s-%s".formatted(DATA, timestamp, part, UUID.randomUUID());
  }
}
