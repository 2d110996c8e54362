package io.drayage.transport.internal;

import io.drayage.frame.ShipmentException;
import io.drayage.transport.Shipment;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * The producers of a {@link Shipment} that wait for a connection with nothing to write. Thread-safe
 * and lock-free: a producer is added <em>before</em> the end is checked, and the end is set before
 * waiting producers are notified, so that every producer is notified.
 */
public final class IdleProducers {
  private final Queue<Shipment.Producer> waiting = new ConcurrentLinkedQueue<>();
  private volatile @Nullable ShipmentException end;

  /** Adds a waiting producer. After the end, the producer is notified immediately. */
  public void add(Shipment.Producer producer) {
    waiting.add(producer);
    ShipmentException cause = end;
    if (cause != null) {
      end(cause);
    }
  }

  /** Removes and returns the producer that has waited longest; null if no producer waits. */
  public Shipment.@Nullable Producer next() {
    return waiting.poll();
  }

  /** Notifies all waiting producers of the end, and from now on each new one. */
  public void end(ShipmentException cause) {
    end = cause;
    for (Shipment.Producer next = next(); next != null; next = next()) {
      next.onOver(cause);
    }
  }
}
