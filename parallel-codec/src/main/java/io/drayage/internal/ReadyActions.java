package io.drayage.internal;

import io.drayage.transport.Shipment;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Actions to run when a {@link Shipment} is ready again. Thread-safe and lock-free.
 *
 * <p>An action is added <em>before</em> the room is looked at, and the room is made before the
 * actions are run; so one of the two sees the other.
 */
public final class ReadyActions {
  private final Queue<Runnable> actions = new ConcurrentLinkedQueue<>();

  /** Adds an action; the caller then looks for room, and calls {@link #runAll} if there is some. */
  public void add(Runnable action) {
    actions.add(action);
  }

  /**
   * Runs and forgets what was added before. What is added meanwhile, by actions that found no room
   * after all, is left for the next time. Otherwise an event loop might never end.
   */
  public void runAll() {
    for (int left = actions.size(); left > 0; left--) {
      Runnable next = actions.poll();
      if (next == null) {
        return;
      }
      next.run();
    }
  }
}
