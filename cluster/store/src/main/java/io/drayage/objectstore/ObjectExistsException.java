package io.drayage.objectstore;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** The object exists already; it was not changed. */
public final class ObjectExistsException extends ObjectStoreException {
  @Serial private static final long serialVersionUID = 1;

  /**
   * @param store names the store
   * @param key the existing object
   */
  public ObjectExistsException(String store, String key, @Nullable Throwable cause) {
    super(store, key, "exists already", cause);
  }

  /** A failure that has no exception as its cause. */
  public ObjectExistsException(String store, String key) {
    this(store, key, null);
  }
}
