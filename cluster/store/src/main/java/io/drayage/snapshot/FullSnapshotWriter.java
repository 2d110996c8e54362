package io.drayage.snapshot;

import io.drayage.cargo.ChangeCargo;
import io.drayage.codec.CargoFrames;
import io.drayage.codec.Compressor;
import io.drayage.codec.Serializer;
import io.drayage.database.DatabaseOrigin;
import io.drayage.database.KnownTransactions;
import io.drayage.database.LogPosition;
import io.drayage.frame.CommitOptions;
import io.drayage.frame.ShipmentHeader;
import io.drayage.frame.ShipmentHeader.Pipeline;
import io.drayage.objectstore.ObjectExistsException;
import io.drayage.objectstore.ObjectStore;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Writes full snapshots: all rows of all tables as one cargo, so that a node can start without the
 * log before it. Thread-safe.
 */
public record FullSnapshotWriter(
    SnapshotCatalog catalog, Serializer serializer, Compressor compressor) {
  private static final int BUFFER_BYTES = 1 << 20;

  /**
   * Writes a full snapshot.
   *
   * @param rows all tables; their base snapshot is that of {@code at}
   * @param at the last log entry contained
   * @param origin the origin of a restored database; null for others
   * @param epoch of the primary
   * @param history the transactions that ended up to the snapshot
   * @throws ObjectExistsException if there is a full snapshot of this timestamp
   */
  public SnapshotEntry write(
      ChangeCargo rows,
      LogPosition at,
      @Nullable DatabaseOrigin origin,
      long epoch,
      KnownTransactions history)
      throws IOException {
    ObjectStore store = catalog.store();
    long timestamp = at.timestamp();
    StoredBytes past =
        CommitHistory.write(store, SnapshotKeys.fullData(timestamp, "history"), history);
    SnapshotContents contents = writeRows(store, rows, timestamp);
    SnapshotKind.Full full = new SnapshotKind.Full(origin, contents, past);
    return catalog.append(SnapshotManifest.full(full, at, epoch, Instant.now()));
  }

  private SnapshotContents writeRows(ObjectStore store, ChangeCargo rows, long timestamp)
      throws IOException {
    CargoFrames frames =
        new CargoFrames(serializer.newSegmentSerializer(), serializer.id(), compressor);
    ShipmentHeader header =
        new ShipmentHeader(
            rows.transactionId(),
            rows.baseSnapshot(),
            Pipeline.SEGMENTS,
            serializer.id(),
            compressor.id(),
            CommitOptions.DEFAULT,
            "full");
    String key = SnapshotKeys.fullData(timestamp, "rows");
    try (DigestingUpload upload = new DigestingUpload(store.begin(key))) {
      OutputStream out = new BufferedOutputStream(upload, BUFFER_BYTES);
      FrameIndex.Builder index = new FrameIndex.Builder();
      CargoFrames.Written written = frames.writeSealed(rows, out, index::add);
      out.flush();
      StoredBytes data = new StoredBytes(key, upload.complete());
      return new SnapshotContents(
          data, header, written.seal(), index.build(data.digest().blockCount()));
    }
  }
}
