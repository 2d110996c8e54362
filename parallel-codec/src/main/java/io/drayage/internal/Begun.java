package io.drayage.internal;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Undoes a sequence of steps, the last one first, unless all of them succeed: for a {@code try}
 * with resources. Not thread-safe.
 */
public final class Begun implements AutoCloseable {
  private final Deque<Runnable> ends = new ArrayDeque<>();

  /** Begins with the ends of earlier steps. */
  public Begun(Runnable... earlier) {
    for (Runnable end : earlier) {
      add(end);
    }
  }

  /** Adds the end of a step. */
  public void add(Runnable end) {
    ends.push(end);
  }

  /**
   * Keeps the results of all steps: {@link #close} ends none of them.
   *
   * @return ends them later
   */
  public Runnable keep() {
    Deque<Runnable> kept = new ArrayDeque<>(ends);
    ends.clear();
    return () -> kept.forEach(Runnable::run);
  }

  /** Keeps the results of all steps, as {@link #keep()}, and returns {@code made}. */
  public <T> T keep(T made) {
    ends.clear();
    return made;
  }

  @Override
  public void close() {
    ends.forEach(Runnable::run);
  }
}
