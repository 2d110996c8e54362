package io.drayage.objectstore;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** The bytes of an object differ from the stored ones. None of them were used. */
public final class ObjectCorruptException extends ObjectStoreException {
  @Serial private static final long serialVersionUID = 1;

  /**
   * @param reason the difference, and its offset
   */
  public ObjectCorruptException(
      String store, String key, String reason, @Nullable Throwable cause) {
    super(store, key, "corrupt: " + reason, cause);
  }

  /** A failure that has no exception as its cause. */
  public ObjectCorruptException(String store, String key, String reason) {
    this(store, key, reason, null);
  }
}
