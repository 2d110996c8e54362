package io.drayage.internal;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Undoes a sequence of steps, the last one first, unless all of them succeed: for a {@code try}
 * with resources, which suppresses the failure of an end. {@link #keep} needs no memory, so that a
 * lack of memory cannot undo steps that have taken effect. Not thread-safe.
 */
public final class Begun implements AutoCloseable, Runnable {
  private final Deque<Closeable> ends = new ArrayDeque<>();
  private boolean kept;

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
    kept = true;
    return this;
  }

  /** Keeps the results of all steps, as {@link #keep()}, and returns {@code made}. */
  public <T> T keep(T made) {
    kept = true;
    return made;
  }

  @Override
  public void close() {
    if (!kept) {
      run();
    }
  }

  /** Ends all steps, once. */
  @Override
  public void run() {
    if (!ends.isEmpty()) {
      try {
        ends.pop().close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } finally {
        run(); // Also if this end failed.
      }
    }
  }
}
