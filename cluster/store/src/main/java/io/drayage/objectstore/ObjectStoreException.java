package io.drayage.objectstore;

import java.io.IOException;
import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * An operation of an object store failed. The message names the store, the object and the reason. A
 * retry may succeed, except for the subclasses, which are answers rather than failures.
 */
public class ObjectStoreException extends IOException {
  @Serial private static final long serialVersionUID = 1;

  private final @Nullable WriteFailure writeFailure;

  /**
   * @param store names the store
   * @param key the object, or whatever else was requested
   * @param reason what went wrong
   */
  public ObjectStoreException(String store, String key, String reason, @Nullable Throwable cause) {
    this(store, key, reason, cause, null);
  }

  /**
   * The same, of a store that knows why it cannot be written.
   *
   * @param writeFailure null if the texts of the reason and its causes tell, if anything does
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

  /** The same, where nothing else failed. */
  public ObjectStoreException(String store, String key, String reason) {
    this(store, key, reason, null);
  }

  @Nullable WriteFailure writeFailure() {
    return writeFailure;
  }
}
