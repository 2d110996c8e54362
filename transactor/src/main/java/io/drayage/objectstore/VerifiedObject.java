package io.drayage.objectstore;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Reads an object block by block, and verifies each block before returning it. Thread-safe. */
public final class VerifiedObject {
  private final ObjectStore store;
  private final String key;
  private final ObjectDigest digest;

  /**
   * @param digest the expected contents
   */
  public VerifiedObject(ObjectStore store, String key, ObjectDigest digest) {
    this.store = store;
    this.key = key;
    this.digest = digest;
  }

  /** The expected contents. */
  public ObjectDigest digest() {
    return digest;
  }

  /**
   * Reads a block. One that does not match is read once more: the error may be in transmission, not
   * in the store.
   *
   * @param target is filled from its position on, and flipped: position to limit is the block
   * @throws ObjectCorruptException if it does not match, naming the block
   */
  public void readBlock(int block, ByteBuffer target) throws IOException {
    int start = target.position();
    if (read(block, target, start) != digest.checksum(block)) {
      int computed = read(block, target, start);
      if (computed != digest.checksum(block)) {
        throw new ObjectCorruptException(
            store.name(),
            key,
            "bytes %,d to %,d have checksum %08x instead of %08x"
                .formatted(
                    digest.offset(block),
                    digest.offset(block) + digest.blockBytes(block) - 1,
                    computed,
                    digest.checksum(block)),
            null);
      }
    }
  }

  private int read(int block, ByteBuffer target, int start) throws IOException {
    target.limit(start + digest.blockBytes(block)).position(start);
    store.read(key, digest.offset(block), target);
    target.position(start);
    return ObjectDigest.checksum(target);
  }

  /** Reads and compares every block, and the length, without keeping a byte. */
  public void verify() throws IOException {
    long size = store.size(key);
    if (size != digest.bytes()) {
      throw new ObjectCorruptException(
          store.name(),
          key,
          "it has %,d bytes instead of %,d".formatted(size, digest.bytes()),
          null);
    }
    ByteBuffer buffer =
        ByteBuffer.allocateDirect((int) Math.min(ObjectDigest.BLOCK_BYTES, digest.bytes()));
    for (int block = 0; block < digest.blockCount(); block++) {
      readBlock(block, buffer.clear());
    }
  }
}
