package io.drayage.objectstore;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;

/**
 * Holds objects under keys such as {@code snapshots/00000000000000000042.commit}. An object appears
 * whole or not at all, is created once, and does not change until it is deleted. Thread-safe; every
 * method may block.
 *
 * <p>Failures are {@link ObjectStoreException}s. The store itself promises no integrity: whoever
 * reads compares with an {@link ObjectDigest} of his own.
 */
public interface ObjectStore extends AutoCloseable {
  /** Names the store in messages, as a user would give it. */
  String name();

  /**
   * Begins an object, whose bytes may come in any number of pieces while they are being stored.
   *
   * @param key see {@link ObjectKeys#require}
   * @throws ObjectExistsException if it exists, as far as that is known already
   */
  ObjectUpload begin(String key) throws IOException;

  /**
   * Creates a small object: it is durable when this returns.
   *
   * @param content from position to limit, left alone
   * @throws ObjectExistsException if it exists
   */
  default void put(String key, ByteBuffer content) throws IOException {
    try (ObjectUpload upload = begin(key)) {
      upload.write(content.duplicate());
      upload.complete();
    }
  }

  /**
   * Reads a part of an object: fills {@code target} from its position to its limit.
   *
   * @param offset where the part begins
   * @throws ObjectMissingException if there is no such object
   * @throws ObjectCorruptException if it ends before
   */
  void read(String key, long offset, ByteBuffer target) throws IOException;

  /**
   * The length of an object in bytes.
   *
   * @throws ObjectMissingException if there is no such object
   */
  long size(String key) throws IOException;

  /** The objects whose keys begin with {@code prefix}, in the order of their keys. */
  List<StoredObject> list(String prefix) throws IOException;

  /** Deletes an object; one that is not there is fine. */
  void delete(String key) throws IOException;

  /**
   * Drops uploads that were begun so long ago and never ended: what processes that died left.
   *
   * @return how many
   */
  int deleteUnfinished(Duration olderThan) throws IOException;

  /** Frees what the store holds of this process. Uploads have ended. */
  @Override
  void close();
}
