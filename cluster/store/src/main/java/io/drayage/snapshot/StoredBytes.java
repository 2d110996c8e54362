package io.drayage.snapshot;

import static io.drayage.internal.Texts.format;

import io.drayage.frame.Fault;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.ShipmentException;
import io.drayage.objectstore.ObjectCorruptException;
import io.drayage.objectstore.ObjectDigest;
import io.drayage.objectstore.ObjectStore;
import io.drayage.objectstore.ObjectStoreException;
import io.drayage.transport.Backoff;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Bytes to which a manifest refers: an object of their own, or a part of the manifest if there are
 * few. They are read by blocks or by frames; each is verified before it is returned.
 *
 * @param key the key of their object; for messages if they are in the manifest
 * @param digest their expected contents
 * @param inManifest the bytes, if the manifest holds them; null if they are an object
 */
public record StoredBytes(String key, ObjectDigest digest, @Nullable ByteBuffer inManifest) {
  /** The number of reads after which an object counts as damaged. */
  private static final int READINGS = 3;

  private static final Duration REREADING = Duration.ofSeconds(10);

  /** An object. */
  public StoredBytes(String key, ObjectDigest digest) {
    this(key, digest, null);
  }

  /** Bytes that a manifest holds, from position to limit. The buffer must not change any more. */
  static StoredBytes inManifest(UUID transaction, ByteBuffer bytes) {
    ObjectDigest.Builder digest = new ObjectDigest.Builder();
    digest.add(bytes);
    return new StoredBytes(
        "data of transaction " + transaction + " in its entry",
        digest.build(),
        bytes.asReadOnlyBuffer());
  }

  /** Whether the bytes are an object of their own. */
  boolean isObject() {
    return inManifest == null;
  }

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

  /**
   * Reads a range of whole frames. Reads it again if a frame is damaged.
   *
   * @param target is filled from its position on, and flipped: position to limit is the range
   * @throws ObjectCorruptException if no read has only whole frames; names the range
   */
  void readFrames(ObjectStore store, FrameIndex.Piece piece, ByteBuffer target) throws IOException {
    int start = target.position();
    ByteBuffer unused =
        reread(
            () -> {
              target.limit(start + piece.bytes()).position(start);
              read(store, piece.offset(), target);
              target.position(start);
              try {
                requireFrames(target.duplicate().order(ByteOrder.LITTLE_ENDIAN));
              } catch (ShipmentException e) {
                throw new ObjectCorruptException(
                    store.name(),
                    key,
                    format(
                        "bytes %,d to %,d: %s",
                        piece.offset(), piece.offset() + piece.bytes() - 1, e.getMessage()),
                    e);
              }
              return target;
            });
  }

  private static void requireFrames(ByteBuffer frames) throws ShipmentException {
    int limit = frames.limit();
    while (frames.position() < limit) {
      if (limit - frames.position() < FrameHeader.BYTES) {
        throw new ShipmentException(Fault.BAD_FRAME, "it ends within a frame");
      }
      long bytes = FrameHeader.BYTES + (long) FrameHeader.payloadBytes(frames, frames.position());
      frames.limit((int) Math.min(limit, frames.position() + bytes));
      ByteBuffer unused = FrameHeader.verify(frames);
      frames.position(frames.limit()).limit(limit);
    }
  }

  private int read(ObjectStore store, int block, ByteBuffer target, int start) throws IOException {
    target.limit(start + digest.blockBytes(block)).position(start);
    read(store, digest.offset(block), target);
    target.position(start);
    return ObjectDigest.checksum(target);
  }

  /** Reads bytes from an offset on, until the buffer is full. Does not verify them. */
  void read(ObjectStore store, long offset, ByteBuffer target) throws IOException {
    if (inManifest == null) {
      store.read(key, offset, target);
    } else {
      target.put(inManifest.slice(Math.toIntExact(offset), target.remaining()));
    }
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
