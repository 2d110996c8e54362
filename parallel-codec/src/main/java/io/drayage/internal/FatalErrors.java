package io.drayage.internal;

import org.jspecify.annotations.Nullable;

/**
 * Errors after which a process cannot trust its memory: it ran out ({@link OutOfMemoryError}), or
 * an invariant is broken ({@link AssertionError}).
 *
 * <p>Code that catches an error to answer a peer also reports it here. The error reaches the
 * thread's {@link Thread.UncaughtExceptionHandler} as if it had not been caught. That handler
 * decides: the commands of a node end the process.
 */
public final class FatalErrors {
  /** The longest chain of causes that is searched, since it may be a circle. */
  private static final int MAX_CAUSES = 100;

  private FatalErrors() {}

  /** The fatal error that is {@code thrown} or one of its causes; null if there is none. */
  public static @Nullable Error in(Throwable thrown) {
    int depth = 0;
    for (Throwable each = thrown; each != null && depth < MAX_CAUSES; each = each.getCause()) {
      depth++;
      if (each instanceof OutOfMemoryError || each instanceof AssertionError) {
        return (Error) each;
      }
    }
    return null;
  }

  /** Reports a fatal error to the handler of this thread. Any other throwable has no effect. */
  public static void report(Throwable thrown) {
    Error fatal = in(thrown);
    if (fatal != null) {
      tell(fatal);
    }
  }

  /** Passes a throwable to the handler of this thread. An error of the handler itself is lost. */
  @SuppressWarnings("EmptyCatch") // There is nobody else to notify.
  public static void tell(Throwable thrown) {
    Thread self = Thread.currentThread();
    try {
      self.getUncaughtExceptionHandler().uncaughtException(self, thrown);
    } catch (Throwable untold) {
      // The thread serves others, and must go on.
    }
  }
}
