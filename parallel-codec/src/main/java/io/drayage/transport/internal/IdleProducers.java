package io.drayage.transport.internal;

import io.drayage.frame.ShipmentException;
import io.drayage.transport.Shipment;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Those who wait for a connection of a {@link Shipment} that has nothing to write. Thread-safe and
 * lock-free: one is added <em>before</em> the end is looked at, and the end is set before those who
 * wait are told; so one of the two sees the other.
 */
public final class IdleProducers {
  private final Queue<Shipment.Producer> waiting = new ConcurrentLinkedQueue<>();
  private volatile @Nullable ShipmentException end;

  /** One waits; after the end, it is told at once. */
  public void add(Shipment.Producer producer) {
    waiting.add(producer);
    ShipmentException cause = end;
    if (cause != null) {
      end(cause);
    }
  }

  /** The one that has waited longest, and waits no more; null if nobody waits. */
  public Shipment.@Nullable Producer next() {
    return waiting.poll();
  }

  /** The shipment is over: tells all, also those to come. */
  public void end(ShipmentException cause) {
    end = cause;
    for (Shipment.Producer next = next(); next != null; next = next()) {
      next.onOver(cause);
    }
  }
}
