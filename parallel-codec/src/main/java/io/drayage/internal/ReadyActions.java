package io.drayage.internal;

import io.drayage.transport.Shipment;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Actions to run when a {@link Shipment} is ready again. Thread-safe and lock-free.
 *
 * <p>A caller adds an action <em>before</em> it looks for room, and room is made before the actions
 * run. So either the caller sees the room, or the action is run.
 */
public final class ReadyActions {
  private final Queue<Runnable> actions = new ConcurrentLinkedQueue<>();

  /** Adds an action. The caller then looks for room, and calls {@link #runAll} if there is some. */
  public void add(Runnable action) {
    actions.add(action);
  }

  /**
   * Runs and removes the actions that were added before. An action that is added meanwhile, because
   * there was no room after all, waits for the next call. Otherwise an event loop might never end.
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
