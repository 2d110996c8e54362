package io.drayage.replica;

import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.internal.Begun;
import io.drayage.snapshot.LoadingMark;
import io.drayage.snapshot.SnapshotCatalog;
import io.drayage.snapshot.SnapshotEntry;
import io.drayage.snapshot.SnapshotLoader;
import io.drayage.store.MemoryStore;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Loads full snapshots. Cleaning keeps the last loaded one, and the log since then, until {@link
 * #end}. Not thread-safe.
 */
final class FullLoader {
  private final SnapshotCatalog catalog;
  private final SnapshotLoader loader;
  private final int threads;
  private final long historyBytes;

  /** The mark of the last full snapshot, until the log since then is loaded. */
  private @Nullable LoadingMark mark;

  /**
   * @param loader owned by the caller
   * @param historyBytes see {@link MemoryStore}
   */
  FullLoader(SnapshotCatalog catalog, SnapshotLoader loader, int threads, long historyBytes) {
    this.catalog = catalog;
    this.loader = loader;
    this.threads = threads;
    this.historyBytes = historyBytes;
  }

  /**
   * Loads a full snapshot.
   *
   * @throws IOException if it cannot be read, or is corrupt
   * @throws OutOfMemoryError if it does not fit into the heap; thrown before it is loaded
   */
  ReplicaCopy load(SnapshotEntry full) throws IOException {
    end();
    mark = new LoadingMark(catalog.store(), full.manifest().timestamp());
    try (Begun begun = new Begun(this::end)) {
      return begun.keep(
          ReplicaCopy.load(loader, full, catalog.history(full), threads, historyBytes));
    } catch (ShipmentException e) {
      if (e.fault() == Fault.LIMIT) {
        throw tooLarge(e);
      }
      throw e;
    }
  }

  /** Makes the error before the heap is full, while a message is still possible. */
  private OutOfMemoryError tooLarge(ShipmentException cause) {
    OutOfMemoryError error =
        new OutOfMemoryError(
            "the database in %s is too large for this node: %s"
                .formatted(catalog.store().name(), cause.getMessage()));
    // The stack does not help the user.
    error.setStackTrace(new StackTraceElement[0]);
    return error;
  }

  /** Releases the mark, so that the snapshot may be deleted. */
  void end() {
    if (mark != null) {
      mark.close();
      mark = null;
    }
  }
}
