package io.drayage.objectstore;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The reason why an object cannot be created in a store. */
public enum WriteFailure {
  /** The store has no room, or a quota is used up. */
  FULL,
  /** This process may not create objects, or the store is read-only. */
  DENIED,
  /** The server of the store does not answer, or answers that it cannot work now. */
  UNREACHABLE,
  /** Any other reason. */
  OTHER;

  /** The texts of the operating systems, because Java has no exceptions for them. */
  private static final List<String> TEXTS_OF_FULL =
      List.of("no space left on device", "disk quota exceeded", "not enough space on the disk");

  private static final List<String> TEXTS_OF_DENIED =
      List.of("permission denied", "operation not permitted", "read-only file system");

  /**
   * Whether the same write may succeed minutes later: space is freed, a right is granted, or a
   * server works again.
   */
  public boolean mayPass() {
    return this != OTHER;
  }

  /** The name in lower case, as in names of metrics and messages. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the reason of a write that has failed; {@link #OTHER} if it is not known. */
  public static WriteFailure of(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      WriteFailure found = ofOne(cause);
      if (found != null) {
        return found;
      }
    }
    return OTHER;
  }

  private static @Nullable WriteFailure ofOne(Throwable cause) {
    if (cause instanceof ObjectStoreException named && named.writeFailure() != null) {
      return named.writeFailure();
    }
    if (cause instanceof AccessDeniedException) {
      return DENIED;
    }
    if (!(cause instanceof IOException)) {
      return null;
    }
    String text = String.valueOf(cause.getMessage()).toLowerCase(Locale.ROOT);
    if (TEXTS_OF_FULL.stream().anyMatch(text::contains)) {
      return FULL;
    }
    return TEXTS_OF_DENIED.stream().anyMatch(text::contains) ? DENIED : null;
  }
}
