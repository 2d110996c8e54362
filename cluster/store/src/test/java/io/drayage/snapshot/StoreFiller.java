package io.drayage.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.ChangeCargo;
import io.drayage.codec.CargoFrames;
import io.drayage.codec.Compressor;
import io.drayage.codec.Serializer;
import io.drayage.frame.ShipmentHeader.Pipeline;
import io.drayage.objectstore.ObjectStore;
import io.drayage.snapshot.recovery.SnapshotVerifier;
import io.drayage.testing.ShipmentHeaders;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
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
    String key = SnapshotKeys.data(wholeTransaction);
    return contents(cargo, serializer, compressor, bytes -> put(store, key, bytes));
  }

  /** Makes the contents of a cargo whose data is in its entry. */
  static SnapshotContents inManifest(
      ChangeCargo cargo, Serializer serializer, Compressor compressor) throws IOException {
    return contents(
        cargo,
        serializer,
        compressor,
        bytes -> StoredBytes.inManifest(cargo.transactionId(), ByteBuffer.wrap(bytes)));
  }

  private interface Putting {
    StoredBytes put(byte[] bytes) throws IOException;
  }

  private static SnapshotContents contents(
      ChangeCargo cargo, Serializer serializer, Compressor compressor, Putting to)
      throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    CargoFrames frames =
        new CargoFrames(serializer.newSegmentSerializer(), serializer.id(), compressor);
    CargoFrames.Written written = frames.writeSealed(cargo, out, offset -> {});
    return new SnapshotContents(
        to.put(out.toByteArray()),
        ShipmentHeaders.of(
            cargo.transactionId(),
            cargo.baseSnapshot(),
            Pipeline.SEGMENTS,
            serializer.id(),
            compressor.id(),
            "test"),
        written.seal());
  }

  /** Flips a bit in the middle of a file; a second call repairs it. Returns the bytes before. */
  public static byte[] flip(Path file) throws IOException {
    byte[] before = Files.readAllBytes(file);
    byte[] flipped = before.clone();
    flipped[flipped.length / 2] ^= 4;
    Files.write(file, flipped);
    return before;
  }

  /** Fails unless all of the log can be read, and is what was written. */
  public static void assertIntact(SnapshotCatalog catalog) throws IOException {
    assertThat(
            new SnapshotVerifier(catalog)
                .verify(found -> assertThat(found.error()).as(found.key()).isNull()))
        .isZero();
  }

  static StoredBytes put(ObjectStore store, String key, byte[] bytes) throws IOException {
    try (DigestingUpload upload = new DigestingUpload(store.begin(key))) {
      upload.write(ByteBuffer.wrap(bytes));
      return new StoredBytes(key, upload.complete());
    }
  }
}
