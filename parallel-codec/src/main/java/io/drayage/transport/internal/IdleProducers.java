package io.drayage.transport.internal;

import io.drayage.frame.ShipmentException;
import io.drayage.transport.Shipment;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * The producers that wait for a connection of a {@link Shipment} with nothing to write. Thread-safe
 * and lock-free: a producer is added <em>before</em> the end is looked at, and the end is set
 * before waiting producers are told, so that each is told.
 */
public final class IdleProducers {
  private final Queue<Shipment.Producer> waiting = new ConcurrentLinkedQueue<>();
  private volatile @Nullable ShipmentException end;

  /** Adds one that waits. After the end it is told at once. */
  public void add(Shipment.Producer producer) {
    waiting.add(producer);
    ShipmentException cause = end;
    if (cause != null) {
      end(cause);
    }
  }

  /** Takes the one that has waited longest; null if nobody waits. */
  public Shipment.@Nullable Producer next() {
    return waiting.poll();
  }

  /** Ends it: tells all that wait, and each that comes later. */
  public void end(ShipmentException cause) {
    end = cause;
    for (Shipment.Producer next = next(); next != null; next = next()) {
      next.onOver(cause);
    }
  }
}
