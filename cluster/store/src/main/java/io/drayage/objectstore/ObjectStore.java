package io.drayage.objectstore;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Stores objects under keys such as {@code snapshots/00000000000000000042.commit}. An object
 * appears as a whole or not at all, can be created only once, and does not change until it is
 * deleted. Thread-safe; every method may block.
 *
 * <p>Failures are {@link ObjectStoreException}s. The store does not guarantee integrity: readers
 * must compare with an {@link ObjectDigest}.
 */
public interface ObjectStore extends AutoCloseable {
  /** The limit of a key's length. */
  int MAX_KEY_CHARS = 512;

  /** The keys: names, separated by slashes. */
  Pattern KEY = Pattern.compile("%1$s(/%1$s)*".formatted("[A-Za-z0-9_][A-Za-z0-9_.-]*"));

  /**
   * Returns {@code key} if it is valid: names of letters, digits, {@code _}, {@code .} and {@code
   * -}, separated by slashes, none of which begins with a dot or a hyphen.
   *
   * @throws IllegalArgumentException if it is not valid
   */
  static String requireKey(String key) {
    if (key.length() > MAX_KEY_CHARS || !KEY.matcher(key).matches()) {
      throw new IllegalArgumentException("'%s' cannot be the key of an object".formatted(key));
    }
    return key;
  }

  /** The name of the store in messages, as a user would specify it. */
  String name();

  /**
   * Fails if this process cannot create objects, so that a writer gets the reason before it begins.
   * The check costs a few requests or writes.
   *
   * @throws ObjectStoreException with the reason, and what to do
   */
  default void requireWritable() throws IOException {}

  /**
   * Begins an object, which is written in any number of pieces.
   *
   * @param key see {@link #requireKey}
   * @throws ObjectExistsException if it is already known to exist
   */
  ObjectUpload begin(String key) throws IOException;

  /**
   * Creates a small object, which is durable when this returns.
   *
   * @param content from position to limit; the buffer is not changed
   * @throws ObjectExistsException if it exists
   */
  default void put(String key, ByteBuffer content) throws IOException {
    try (ObjectUpload upload = begin(key)) {
      upload.write(content.duplicate());
      upload.complete();
    }
  }

  /**
   * Reads a part of an object into {@code target}, from its position to its limit.
   *
   * @param offset offset of the part
   * @throws ObjectMissingException if there is no such object
   * @throws ObjectCorruptException if the object is too short
   */
  void read(String key, long offset, ByteBuffer target) throws IOException;

  /**
   * The length of an object in bytes.
   *
   * @throws ObjectMissingException if there is no such object
   */
  long size(String key) throws IOException;

  /** Whether there is such an object. */
  default boolean contains(String key) throws IOException {
    try {
      return size(key) >= 0;
    } catch (ObjectMissingException e) {
      return false;
    }
  }

  /** The objects whose keys begin with {@code prefix}, in the order of their keys. */
  List<StoredObject> list(String prefix) throws IOException;

  /** Deletes an object, if it exists. */
  void delete(String key) throws IOException;

  /**
   * Deletes abandoned uploads of processes that have died.
   *
   * @param keys checks whether an object is the caller's, if the store may have uploads of others
   * @param age for which this process must have seen an upload; younger uploads may be in progress
   * @return the number of deleted uploads
   */
  int deleteUnfinished(Predicate<String> keys, Duration age) throws IOException;

  /** The space of the store; empty if it has no limit that this process can read. */
  default Optional<StoreSpace> space() throws IOException {
    return Optional.empty();
  }

  /** Frees the resources of this process. No upload may be in progress. */
  @Override
  void close();
}
