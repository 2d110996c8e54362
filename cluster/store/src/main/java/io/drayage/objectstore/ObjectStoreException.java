package io.drayage.objectstore;

import io.drayage.frame.MessageForUsers;
import java.io.IOException;
import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * An operation of an object store failed. The message names the store, the object and the reason. A
 * retry may succeed, except for the subclasses, which report the state of an object.
 */
public class ObjectStoreException extends IOException implements MessageForUsers {
  @Serial private static final long serialVersionUID = 1;

  private final @Nullable WriteFailure writeFailure;

  /**
   * @param store names the store
   * @param key the object, or the name of another request
   * @param reason the reason of the failure
   */
  public ObjectStoreException(String store, String key, String reason, @Nullable Throwable cause) {
    this(store, key, reason, cause, null);
  }

  /**
   * A failure of a store that may know why an object cannot be created.
   *
   * @param writeFailure null to derive it from the texts of the reason and its causes
   */
  ObjectStoreException(
      String store,
      String key,
      String reason,
      @Nullable Throwable cause,
      @Nullable WriteFailure writeFailure) {
    super("%s: %s: %s".formatted(store, key, reason), cause);
    this.writeFailure = writeFailure;
  }

  /** A failure that has no exception as its cause. */
  public ObjectStoreException(String store, String key, String reason) {
    this(store, key, reason, null);
  }

  @Nullable WriteFailure writeFailure() {
    return writeFailure;
  }
}
