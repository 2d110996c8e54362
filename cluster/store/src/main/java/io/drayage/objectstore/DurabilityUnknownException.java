package io.drayage.objectstore;

import java.io.Serial;

/**
 * An object was created, but it is unknown whether it survives a crash. The store makes it durable
 * before it answers the next read, so that no reader relies on an object that may vanish.
 */
public final class DurabilityUnknownException extends ObjectStoreException {
  @Serial private static final long serialVersionUID = 1;

  /**
   * @param store names the store
   * @param key the created object
   * @param reason why it may not survive
   */
  public DurabilityUnknownException(String store, String key, String reason, Throwable cause) {
    super(
        store, key, "it was created, but whether it survives a crash is unknown: " + reason, cause);
  }
}
