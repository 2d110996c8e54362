package io.drayage.objectstore;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** There is no such object. */
public final class ObjectMissingException extends ObjectStoreException {
  @Serial private static final long serialVersionUID = 1;

  /**
   * @param store names the store
   * @param key the missing object
   */
  public ObjectMissingException(String store, String key, @Nullable Throwable cause) {
    super(store, key, "no such object", cause);
  }

  /** A failure that has no exception as its cause. */
  public ObjectMissingException(String store, String key) {
    this(store, key, null);
  }
}
