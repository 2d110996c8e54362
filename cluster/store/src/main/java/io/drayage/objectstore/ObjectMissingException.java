package io.drayage.objectstore;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** There is no such object. */
public final class ObjectMissingException extends ObjectStoreException {
  @Serial private static final long serialVersionUID = 1;

  /**
   * @param store names the store
   * @param key the object that it does not have
   */
  public ObjectMissingException(String store, String key, @Nullable Throwable cause) {
    super(store, key, "no such object", cause);
  }

  /** The same, where nothing else failed. */
  public ObjectMissingException(String store, String key) {
    this(store, key, null);
  }
}
