package io.drayage.objectstore;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** The bytes of an object are not those that were stored. None of them were used. */
public final class ObjectCorruptException extends ObjectStoreException {
  @Serial private static final long serialVersionUID = 1;

  /**
   * @param reason what is wrong, and at which offset
   */
  public ObjectCorruptException(
      String store, String key, String reason, @Nullable Throwable cause) {
    super(store, key, "corrupt: " + reason, cause);
  }

  /** The same, where nothing else failed. */
  public ObjectCorruptException(String store, String key, String reason) {
    this(store, key, reason, null);
  }
}
