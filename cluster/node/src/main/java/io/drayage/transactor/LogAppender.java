package io.drayage.transactor;

import static io.drayage.internal.Texts.format;

import io.drayage.database.LoggedTransaction;
import io.drayage.objectstore.DurabilityUnknownException;
import io.drayage.objectstore.ObjectExistsException;
import io.drayage.objectstore.ObjectMissingException;
import io.drayage.snapshot.SnapshotCatalog;
import io.drayage.snapshot.SnapshotEntry;
import io.drayage.snapshot.SnapshotKind;
import io.drayage.snapshot.SnapshotManifest;
import io.drayage.transport.Backoff;
import java.io.IOException;
import java.io.Serial;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Appends the entries of one term to the log. If the store does not answer, searches the log until
 * it is known whether the entry is in it. Not thread-safe.
 */
final class LogAppender {
  private final SnapshotCatalog catalog;
  private final long epoch;
  private final Duration patience;
  private SnapshotEntry last;

  /** The entry is not in the log. */
  static final class NotAppendedException extends Exception {
    @Serial private static final long serialVersionUID = 1;

    NotAppendedException(IOException cause) {
      super(cause.getMessage(), cause);
    }
  }

  /** Another transactor created the entry, or it is unknown whether the entry was stored. */
  static final class TermOverException extends Exception {
    @Serial private static final long serialVersionUID = 1;

    TermOverException(String message, IOException cause) {
      super(message, cause);
    }
  }

  /**
   * @param last the newest entry of the log
   * @param patience how long to search for an entry whose outcome is unknown
   */
  LogAppender(SnapshotCatalog catalog, long epoch, SnapshotEntry last, Duration patience) {
    this.catalog = catalog;
    this.epoch = epoch;
    this.last = last;
    this.patience = patience;
  }

  /**
   * Appends the entry that ends a transaction.
   *
   * @throws AssertionError if the entry would leave a gap in the log, or exists already
   */
  void append(long timestamp, SnapshotKind entry) throws NotAppendedException, TermOverException {
    long newest = last.manifest().timestamp();
    if (timestamp != newest + 1) {
      throw new AssertionError(
          format(
              "snapshot %d cannot be logged after entry %d: %d is next",
              timestamp, newest, newest + 1));
    }
    SnapshotManifest manifest =
        SnapshotManifest.entry(entry, last.position(), epoch, Instant.now());
    try {
      last = catalog.append(manifest);
    } catch (DurabilityUnknownException e) {
      // The entry may be found, and not be durable. The next takeover makes it durable.
      throw new TermOverException(
          format(
              "it is unknown whether entry %d of the log was stored: %s",
              timestamp, e.getMessage()),
          e);
    } catch (IOException e) {
      // The entry may be ours, even if it exists, from an attempt whose answer was lost.
      Optional<SnapshotEntry> found = find(timestamp, e);
      if (found.isEmpty() && !(e instanceof ObjectExistsException)) {
        throw new NotAppendedException(e);
      }
      last = requireOurs(manifest, found, e);
    }
  }

  /** The newest entry of the log. */
  SnapshotEntry last() {
    return last;
  }

  private static SnapshotEntry requireOurs(
      SnapshotManifest manifest, Optional<SnapshotEntry> found, IOException cause)
      throws TermOverException {
    if (found.isPresent() && isSame(manifest, found.get().manifest())) {
      return found.get();
    }
    throw new TermOverException(
        format("entry %d of the log was created by another transactor", manifest.timestamp()),
        cause);
  }

  private static boolean isSame(SnapshotManifest ours, SnapshotManifest found) {
    return found.epoch() == ours.epoch()
        && found.kind().text().equals(ours.kind().text())
        && Objects.equals(idOf(found), idOf(ours))
        && found.parentChecksum() == ours.parentChecksum();
  }

  private static @Nullable UUID idOf(SnapshotManifest manifest) {
    LoggedTransaction transaction = manifest.transaction();
    return transaction == null ? null : transaction.id();
  }

  private Optional<SnapshotEntry> find(long timestamp, IOException cause) throws TermOverException {
    Backoff backoff = new Backoff(patience);
    while (true) {
      try {
        return Optional.of(catalog.entry(timestamp));
      } catch (ObjectMissingException e) {
        return Optional.empty();
      } catch (IOException e) {
        cause.addSuppressed(e);
      }
      try {
        if (!backoff.pause()) {
          throw new TermOverException(
              format(
                  "it is unknown whether entry %d of the log was stored: %s",
                  timestamp, cause.getMessage()),
              cause);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new TermOverException(
            format("it is unknown whether entry %d of the log was stored: interrupted", timestamp),
            cause);
      }
    }
  }
}
