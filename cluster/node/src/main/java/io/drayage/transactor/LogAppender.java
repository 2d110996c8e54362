package io.drayage.transactor;

import static io.drayage.internal.Texts.format;

import io.drayage.objectstore.DurabilityUnknownException;
import io.drayage.objectstore.ObjectExistsException;
import io.drayage.objectstore.ObjectMissingException;
import io.drayage.snapshot.LogObject;
import io.drayage.snapshot.SnapshotCatalog;
import io.drayage.snapshot.SnapshotEntry;
import io.drayage.snapshot.SnapshotKeys;
import io.drayage.transport.Backoff;
import java.io.IOException;
import java.io.Serial;
import java.time.Duration;
import java.util.List;

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

  /** An object for the next entries. */
  LogObject next() {
    return new LogObject(last.position(), epoch);
  }

  /**
   * Appends entries together.
   *
   * @param entries made by {@link #next} after the last append
   */
  List<SnapshotEntry> append(LogObject entries) throws NotAppendedException, TermOverException {
    try {
      return appended(catalog.appendTogether(entries));
    } catch (DurabilityUnknownException e) {
      // The entries may be found, and not be durable. The next takeover makes them durable.
      throw new TermOverException(
          format(
              "it is unknown whether entry %d of the log was stored: %s",
              entries.first(), e.getMessage()),
          e);
    } catch (IOException e) {
      // The object may be ours, even if it exists, from an attempt whose answer was lost.
      List<SnapshotEntry> found = find(entries.first(), e);
      if (found.isEmpty() && !(e instanceof ObjectExistsException)) {
        throw new NotAppendedException(e);
      }
      if (!entries.isSame(found)) {
        throw new TermOverException(
            format(
                "entry %d of the log is not the one that was to be stored: another transactor has"
                    + " created it, or an earlier attempt",
                entries.first()),
            e);
      }
      return appended(found);
    }
  }

  private List<SnapshotEntry> appended(List<SnapshotEntry> entries) {
    last = entries.get(entries.size() - 1);
    return entries;
  }

  /** The object of an entry; empty if there is none. */
  private List<SnapshotEntry> find(long timestamp, IOException cause) throws TermOverException {
    Backoff backoff = new Backoff(patience);
    while (true) {
      try {
        return catalog.read(SnapshotKeys.Place.entry(timestamp));
      } catch (ObjectMissingException e) {
        return List.of();
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
