package io.drayage.snapshot;

import io.drayage.cargo.ChangeCargo;
import io.drayage.codec.CargoFrames;
import io.drayage.codec.Compressor;
import io.drayage.codec.Serializer;
import io.drayage.frame.ShipmentHeader.Pipeline;
import io.drayage.objectstore.ObjectStore;
import io.drayage.testing.ShipmentHeaders;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.UUID;

/** Puts cargoes into a store without a transport. */
public final class StoreFiller {
  private StoreFiller() {}

  public static SnapshotContents store(
      ObjectStore store, ChangeCargo cargo, Serializer serializer, Compressor compressor)
      throws IOException {
    return store(store, cargo.transactionId(), cargo, serializer, compressor);
  }

  /** Stores a fragment of a transaction of several workers. */
  public static SnapshotContents store(
      ObjectStore store,
      UUID wholeTransaction,
      ChangeCargo cargo,
      Serializer serializer,
      Compressor compressor)
      throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    CargoFrames frames =
        new CargoFrames(serializer.newSegmentSerializer(), serializer.id(), compressor);
    CargoFrames.Written written = frames.writeSealed(cargo, out);
    String key = SnapshotKeys.data(wholeTransaction);
    return new SnapshotContents(
        put(store, key, out.toByteArray()),
        ShipmentHeaders.of(
            cargo.transactionId(),
            cargo.baseSnapshot(),
            Pipeline.SEGMENTS,
            serializer.id(),
            compressor.id(),
            "test"),
        written.seal());
  }

  static StoredBytes put(ObjectStore store, String key, byte[] bytes) throws IOException {
    try (DigestingUpload upload = new DigestingUpload(store.begin(key))) {
      upload.write(ByteBuffer.wrap(bytes));
      return new StoredBytes(key, upload.complete());
    }
  }
}
