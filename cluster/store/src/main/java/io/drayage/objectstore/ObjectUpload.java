package io.drayage.objectstore;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Writes one object. Not thread-safe, except {@link #close}, which another thread may call to abort
 * a stalled upload.
 */
public interface ObjectUpload extends AutoCloseable {
  /**
   * Appends {@code bytes}, from position to limit. The bytes are consumed when this returns. Blocks
   * while the store is slower than the caller.
   *
   * @throws ObjectStoreException if this or an earlier piece could not be stored
   */
  void write(ByteBuffer bytes) throws IOException;

  /**
   * Makes the object visible and durable.
   *
   * @throws ObjectExistsException if the object exists already; the existing object is not changed
   * @throws ObjectStoreException otherwise; the object may have been created nevertheless
   */
  void complete() throws IOException;

  /** Aborts the upload, unless it is complete. Idempotent. */
  @Override
  void close();
}
