package io.drayage.snapshot.recovery;

import io.drayage.objectstore.ObjectDigest;
import io.drayage.objectstore.ObjectStore;
import io.drayage.snapshot.DigestingUpload;
import io.drayage.snapshot.StoredBytes;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Copies objects as they are, whatever their contents. Not thread-safe. */
final class ObjectTransfer {
  private static final int PIECE_BYTES = 1 << 20;

  private final ByteBuffer piece = ByteBuffer.allocateDirect(PIECE_BYTES);

  /**
   * Copies an object.
   *
   * @return its length
   */
  long copy(ObjectStore from, String key, ObjectStore to, String as) throws IOException {
    return transfer(from, key, to, as).bytes();
  }

  private ObjectDigest transfer(ObjectStore from, String key, ObjectStore to, String as)
      throws IOException {
    long length = from.size(key);
    try (DigestingUpload upload = new DigestingUpload(to.begin(as))) {
      for (long at = 0; at < length; at += PIECE_BYTES) {
        piece.clear().limit((int) Math.min(PIECE_BYTES, length - at));
        from.read(key, at, piece);
        upload.write(piece.flip());
      }
      return upload.complete();
    }
  }

  /**
   * Copies an object that has no digest, and reads both again.
   *
   * @throws io.drayage.objectstore.ObjectCorruptException if they differ from the first read
   */
  void copyAndCompare(ObjectStore from, String key, ObjectStore to, String as) throws IOException {
    ObjectDigest digest = transfer(from, key, to, as);
    new StoredBytes(as, digest).verify(to);
    new StoredBytes(key, digest).verify(from);
  }
}
