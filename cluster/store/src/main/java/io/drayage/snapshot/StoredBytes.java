package io.drayage.snapshot;

import static io.drayage.internal.Texts.format;

import io.drayage.objectstore.ObjectCorruptException;
import io.drayage.objectstore.ObjectDigest;
import io.drayage.objectstore.ObjectStore;
import io.drayage.objectstore.ObjectStoreException;
import io.drayage.transport.Backoff;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;

/**
 * An object to which a manifest refers. The object is read by blocks; each block is verified before
 * it is returned.
 *
 * @param key its key
 * @param digest its expected contents
 */
public record StoredBytes(String key, ObjectDigest digest) {
  /** The number of reads after which an object counts as damaged. */
  private static final int READINGS = 3;

  private static final Duration REREADING = Duration.ofSeconds(10);

  /** A read operation on a store. */
  public interface Reading<T> {
    T read() throws IOException;
  }

  /**
   * Reads an object that may be damaged. If it is, reads it again after a pause: the error may be
   * in transmission, not in the store.
   *
   * @throws ObjectCorruptException the last failure, if every read found damage
   */
  public static <T> T reread(Reading<T> reading) throws IOException {
    return reread(ObjectCorruptException.class, reading);
  }

  /**
   * Reads an object, and reads it again after a failure of another kind.
   *
   * @param kind of the failures after which the object is read again
   */
  public static <T> T reread(Class<? extends ObjectStoreException> kind, Reading<T> reading)
      throws IOException {
    Backoff backoff = new Backoff(REREADING);
    for (int read = 1; ; read++) {
      try {
        return reading.read();
      } catch (ObjectStoreException e) {
        if (!kind.isInstance(e) || read == READINGS) {
          throw e;
        }
        pause(backoff, e);
      }
    }
  }

  private static void pause(Backoff backoff, ObjectStoreException failure) throws IOException {
    try {
      boolean unused = backoff.pause();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted: " + failure.getMessage());
    }
  }

  /**
   * Reads a block. Reads it again if it does not match its digest.
   *
   * @param target is filled from its position on, and flipped: position to limit is the block
   * @throws ObjectCorruptException if no read matches; names the block
   */
  public void readBlock(ObjectStore store, int block, ByteBuffer target) throws IOException {
    int start = target.position();
    ByteBuffer unused =
        reread(
            () -> {
              int computed = read(store, block, target, start);
              if (computed != digest.checksum(block)) {
                throw new ObjectCorruptException(
                    store.name(),
                    key,
                    format(
                        "bytes %,d to %,d have checksum %08x instead of %08x",
                        digest.offset(block),
                        digest.offset(block) + digest.blockBytes(block) - 1,
                        computed,
                        digest.checksum(block)));
              }
              return target;
            });
  }

  private int read(ObjectStore store, int block, ByteBuffer target, int start) throws IOException {
    target.limit(start + digest.blockBytes(block)).position(start);
    store.read(key, digest.offset(block), target);
    target.position(start);
    return ObjectDigest.checksum(target);
  }

  /** Reads and compares every block, and the length. Keeps no bytes. */
  public void verify(ObjectStore store) throws IOException {
    long unused = reread(() -> requireSize(store));
    ByteBuffer buffer =
        ByteBuffer.allocateDirect((int) Math.min(ObjectDigest.BLOCK_BYTES, digest.bytes()));
    for (int block = 0; block < digest.blockCount(); block++) {
      readBlock(store, block, buffer.clear());
    }
  }

  private long requireSize(ObjectStore store) throws IOException {
    long size = store.size(key);
    if (size != digest.bytes()) {
      throw new ObjectCorruptException(
          store.name(), key, format("it has %,d bytes instead of %,d", size, digest.bytes()));
    }
    return size;
  }
}
