package io.drayage.metrics;

import io.drayage.frame.Fault;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts shipments by what became of them. Public for pipelines and nodes, which count here; others
 * read a {@link ShipmentsSnapshot}. Thread-safe.
 */
public final class ShipmentCounters {
  private final AtomicLong opened = new AtomicLong();
  private final AtomicLong held = new AtomicLong();
  private final AtomicLong committed = new AtomicLong();
  private final AtomicLong reconnects = new AtomicLong();

  private final Map<Fault, AtomicLong> failed = new EnumMap<>(Fault.class);

  ShipmentCounters() {
    for (Fault fault : Fault.values()) {
      failed.put(fault, new AtomicLong());
    }
  }

  /** The transactor has accepted a shipment. */
  public void addOpened() {
    opened.incrementAndGet();
  }

  /** The transactor holds a whole cargo. */
  public void addHeld() {
    held.incrementAndGet();
  }

  /** A cargo has taken effect. */
  public void addCommitted() {
    committed.incrementAndGet();
  }

  /** A shipment has ended without, or was refused. */
  public void addFailed(Fault fault) {
    Objects.requireNonNull(failed.get(fault)).incrementAndGet();
  }

  /** A shipment goes on after a loss. */
  public void addReconnect() {
    reconnects.incrementAndGet();
  }

  ShipmentsSnapshot snapshot() {
    Map<Fault, Long> byFault = new EnumMap<>(Fault.class);
    failed.forEach((fault, count) -> byFault.put(fault, count.get()));
    return new ShipmentsSnapshot(
        opened.get(), held.get(), committed.get(), byFault, reconnects.get());
  }
}
