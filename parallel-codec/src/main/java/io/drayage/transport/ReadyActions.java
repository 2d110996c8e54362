package io.drayage.transport;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * What is to be done when a {@link FrameSink} has room again. Thread-safe, without a lock.
 *
 * <p>An action is added <em>before</em> the room is looked at, and the room is made before the
 * actions are run; so one of the two sees the other.
 */
public final class ReadyActions {
  private final Queue<Runnable> actions = new ConcurrentLinkedQueue<>();

  /** Adds an action; who adds looks for room then, and calls {@link #runAll} if there is some. */
  public void add(Runnable action) {
    actions.add(action);
  }

  /** Runs and forgets what was added before. */
  public void runAll() {
    for (Runnable next = actions.poll(); next != null; next = actions.poll()) {
      next.run();
    }
  }
}
