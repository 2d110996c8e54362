package io.drayage.objectstore;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * An object that is being written. For one thread at a time, except {@link #close}, which another
 * may call to give a stalled upload up.
 */
public interface ObjectUpload extends AutoCloseable {
  /**
   * Appends {@code bytes}, from position to limit, which are consumed when this returns. Blocks
   * while the store is slower than the caller.
   *
   * @throws ObjectStoreException if this piece or an earlier one could not be stored
   */
  void write(ByteBuffer bytes) throws IOException;

  /**
   * Makes the object visible, whole and durable.
   *
   * @throws ObjectExistsException if somebody else made it meanwhile; his is left alone
   * @throws ObjectStoreException otherwise; the object may nevertheless be there
   */
  void complete() throws IOException;

  /** Gives the object up, unless it is complete. May be called again. */
  @Override
  void close();
}
