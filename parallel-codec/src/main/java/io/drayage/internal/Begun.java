package io.drayage.internal;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Undoes a sequence of steps, the last one first, unless all of them succeed: for a {@code try}
 * with resources, which suppresses the failure of an end. Not thread-safe.
 */
public final class Begun implements AutoCloseable {
  private final Deque<Closeable> ends = new ArrayDeque<>();

  /** Begins with the ends of earlier steps. */
  public Begun(Closeable... earlier) {
    for (Closeable end : earlier) {
      add(end);
    }
  }

  /** Adds the end of a step. */
  public void add(Closeable end) {
    ends.push(end);
  }

  /**
   * Keeps the results of all steps: {@link #close} ends none of them.
   *
   * @return ends them later
   */
  public Runnable keep() {
    Deque<Closeable> kept = new ArrayDeque<>(ends);
    ends.clear();
    return () -> end(kept);
  }

  /** Keeps the results of all steps, as {@link #keep()}, and returns {@code made}. */
  public <T> T keep(T made) {
    ends.clear();
    return made;
  }

  @Override
  public void close() {
    end(ends);
  }

  private static void end(Deque<Closeable> steps) {
    if (!steps.isEmpty()) {
      try {
        steps.pop().close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } finally {
        end(steps); // Also if this end failed.
      }
    }
  }
}
