package io.drayage.snapshot;

import io.drayage.objectstore.ObjectCorruptException;
import io.drayage.objectstore.ObjectDigest;
import io.drayage.objectstore.ObjectStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Locale;

/**
 * An object to which a manifest refers: read block by block, each of which is verified before it is
 * returned.
 *
 * @param key its key
 * @param digest its expected contents
 */
public record StoredBytes(String key, ObjectDigest digest) {
  /**
   * Reads a block. One that does not match is read once more: the error may be in transmission, not
   * in the store.
   *
   * @param target is filled from its position on, and flipped: position to limit is the block
   * @throws ObjectCorruptException if it does not match, naming the block
   */
  public void readBlock(ObjectStore store, int block, ByteBuffer target) throws IOException {
    int start = target.position();
    if (read(store, block, target, start) != digest.checksum(block)) {
      int computed = read(store, block, target, start);
      if (computed != digest.checksum(block)) {
        throw new ObjectCorruptException(
            store.name(),
            key,
            String.format(
                Locale.ROOT,
                "bytes %,d to %,d have checksum %08x instead of %08x",
                digest.offset(block),
                digest.offset(block) + digest.blockBytes(block) - 1,
                computed,
                digest.checksum(block)),
            null);
      }
    }
  }

  private int read(ObjectStore store, int block, ByteBuffer target, int start) throws IOException {
    target.limit(start + digest.blockBytes(block)).position(start);
    store.read(key, digest.offset(block), target);
    target.position(start);
    return ObjectDigest.checksum(target);
  }

  /** Reads and compares every block, and the length, without keeping a byte. */
  public void verify(ObjectStore store) throws IOException {
    long size = store.size(key);
    if (size != digest.bytes()) {
      throw new ObjectCorruptException(
          store.name(),
          key,
          String.format(Locale.ROOT, "it has %,d bytes instead of %,d", size, digest.bytes()),
          null);
    }
    ByteBuffer buffer =
        ByteBuffer.allocateDirect((int) Math.min(ObjectDigest.BLOCK_BYTES, digest.bytes()));
    for (int block = 0; block < digest.blockCount(); block++) {
      readBlock(store, block, buffer.clear());
    }
  }
}
