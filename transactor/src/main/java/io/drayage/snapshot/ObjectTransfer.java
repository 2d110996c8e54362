package io.drayage.snapshot;

import io.drayage.objectstore.ObjectStore;
import io.drayage.objectstore.ObjectUpload;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Copies objects as they are, whatever is in them. Not thread-safe. */
final class ObjectTransfer {
  private static final int PIECE_BYTES = 1 << 20;

  private final ByteBuffer piece = ByteBuffer.allocateDirect(PIECE_BYTES);

  /**
   * Copies an object.
   *
   * @return its length
   */
  long copy(ObjectStore from, String key, ObjectStore to, String as) throws IOException {
    long length = from.size(key);
    try (ObjectUpload upload = to.begin(as)) {
      for (long at = 0; at < length; at += PIECE_BYTES) {
        piece.clear().limit((int) Math.min(PIECE_BYTES, length - at));
        from.read(key, at, piece);
        upload.write(piece.flip());
      }
      upload.complete();
    }
    return length;
  }
}
