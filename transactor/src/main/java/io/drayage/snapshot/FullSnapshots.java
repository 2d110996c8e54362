package io.drayage.snapshot;

import io.drayage.cargo.ChangeCargo;
import io.drayage.codec.CargoFrames;
import io.drayage.codec.Compressor;
import io.drayage.codec.Serializer;
import io.drayage.frame.ShipmentHeader;
import io.drayage.frame.ShipmentHeader.Pipeline;
import io.drayage.objectstore.DigestingUpload;
import io.drayage.objectstore.ObjectExistsException;
import io.drayage.objectstore.ObjectStore;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;

/**
 * Writes full snapshots: all rows of all tables as one cargo that inserts them, so that whoever
 * starts need not read the log from its beginning. Thread-safe; takes as long as the store needs.
 */
public final class FullSnapshots {
  private static final int BUFFER_BYTES = 1 << 20;

  private final SnapshotCatalog catalog;
  private final Serializer serializer;
  private final Compressor compressor;

  public FullSnapshots(SnapshotCatalog catalog, Serializer serializer, Compressor compressor) {
    this.catalog = catalog;
    this.serializer = serializer;
    this.compressor = compressor;
  }

  /**
   * Writes one.
   *
   * @param rows every row of every table is inserted, deleted ones too, so that rows keep their
   *     ids, and the deleted ones are deleted; its base snapshot is {@code timestamp}
   * @param timestamp of the last log entry that is contained
   * @param checksum of that entry; 0 if there is none
   * @param epoch of the primary
   * @param history the transactions that are contained, and the timestamps that they were given
   * @throws ObjectExistsException if there is a full snapshot of that timestamp
   */
  public SnapshotEntry write(
      ChangeCargo rows, long timestamp, int checksum, long epoch, Map<UUID, Long> history)
      throws IOException {
    ObjectStore store = catalog.store();
    StoredBytes past =
        CommitHistory.write(store, SnapshotKeys.fullData(timestamp, "history"), history);
    SnapshotContents contents = writeRows(store, rows, timestamp);
    return catalog.append(
        new SnapshotManifest(
            SnapshotKind.FULL, timestamp, epoch, checksum, Instant.now(), contents, past));
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
            "full");
    String key = SnapshotKeys.fullData(timestamp, "rows");
    try (DigestingUpload upload = new DigestingUpload(store.begin(key))) {
      CargoFrames.Written written;
      OutputStream out = new BufferedOutputStream(new UploadStream(upload), BUFFER_BYTES);
      written = frames.writeSealed(rows, out);
      out.flush();
      return new SnapshotContents(new StoredBytes(key, upload.complete()), header, written.seal());
    }
  }

  /** Leaves the upload open: only what is whole is completed. */
  private static final class UploadStream extends OutputStream {
    private final DigestingUpload upload;

    UploadStream(DigestingUpload upload) {
      this.upload = upload;
    }

    @Override
    public void write(int value) throws IOException {
      write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] source, int offset, int length) throws IOException {
      upload.write(ByteBuffer.wrap(source, offset, length));
    }
  }
}
