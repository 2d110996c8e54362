package io.drayage.internal;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * What was begun, one thing after the other, and is ended again, the last one first, unless all of
 * it succeeds: for a {@code try} with resources. Not thread-safe.
 */
public final class Begun implements AutoCloseable {
  private final Deque<Runnable> ends = new ArrayDeque<>();

  /** With what was begun already. */
  public Begun(Runnable... earlier) {
    for (Runnable end : earlier) {
      add(end);
    }
  }

  /** Adds the end of something. */
  public void add(Runnable end) {
    ends.push(end);
  }

  /**
   * All has succeeded, and nothing is ended now.
   *
   * @return ends it later
   */
  public Runnable keep() {
    Deque<Runnable> kept = new ArrayDeque<>(ends);
    ends.clear();
    return () -> kept.forEach(Runnable::run);
  }

  /** As {@link #keep()}; returns what was made. */
  public <T> T keep(T made) {
    ends.clear();
    return made;
  }

  @Override
  public void close() {
    ends.forEach(Runnable::run);
  }
}
