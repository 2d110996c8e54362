package io.drayage.receive;

import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.memory.ByteBudget;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Bounds the shipments that are received at a time, and the bytes of their cargoes in memory and on
 * the stage. Thread-safe.
 */
final class ReceiverQuota {
  private final int maxShipments;
  private final ByteBudget memory;
  private final ByteBudget stage;
  private final AtomicInteger shipments = new AtomicInteger();
  private final AdmissionQueue forShipments = new AdmissionQueue(System::nanoTime);
  private final AdmissionQueue forMemory = new AdmissionQueue(System::nanoTime);

  ReceiverQuota(ReceiverLimits limits, long maxStagedBytes) {
    this.maxShipments = limits.maxShipments();
    this.memory = new ByteBudget(limits.maxReceivingBytes());
    this.stage = new ByteBudget(Math.max(1, maxStagedBytes));
  }

  int shipments() {
    return shipments.get();
  }

  long memoryBytes() {
    return memory.usedBytes();
  }

  /**
   * Admits a shipment.
   *
   * @throws ShipmentException {@code BUSY} if there are too many
   */
  ShipmentQuota admit(UUID transactionId) throws ShipmentException {
    if (!forShipments.admits(transactionId, this::tryAddShipment)) {
      throw new ShipmentException(
          Fault.BUSY,
          "%,d shipments are under way already, the limit is %,d"
              .formatted(shipments.get(), maxShipments));
    }
    return new ShipmentQuota(transactionId);
  }

  private boolean tryAddShipment() {
    if (shipments.incrementAndGet() <= maxShipments) {
      return true;
    }
    shipments.decrementAndGet();
    return false;
  }

  /** What one shipment has acquired. Thread-safe. */
  final class ShipmentQuota {
    private final UUID transactionId;
    private long memoryBytes;
    private long stagedBytes;
    private boolean released;

    private ShipmentQuota(UUID transactionId) {
      this.transactionId = transactionId;
    }

    /**
     * Acquires memory for a cargo.
     *
     * @throws ShipmentException {@code BUSY} if there is too little now, {@code LIMIT} if there
     *     never is enough
     */
    synchronized void acquireMemory(long bytes) throws ShipmentException {
      if (bytes > memory.limitBytes() - memoryBytes) {
        throw new ShipmentException(
            Fault.LIMIT,
            "the cargo takes %,d bytes of memory, more than the limit of %,d for all that are received"
                .formatted(memoryBytes + bytes, memory.limitBytes()));
      }
      if (released || !forMemory.admits(transactionId, () -> memory.tryAcquire(bytes))) {
        throw noRoom(bytes, memory);
      }
      memoryBytes += bytes;
    }

    /** As {@link #acquireMemory}, on the stage. */
    synchronized void acquireStage(long rawBytes) throws ShipmentException {
      if (released || rawBytes > stage.limitBytes() || !stage.tryAcquire(rawBytes)) {
        throw noRoom(rawBytes, stage);
      }
      stagedBytes += rawBytes;
    }

    private static ShipmentException noRoom(long rawBytes, ByteBudget budget) {
      return new ShipmentException(
          Fault.BUSY,
          "no room for %,d bytes now: %,d of %,d are used by other cargoes"
              .formatted(rawBytes, budget.usedBytes(), budget.limitBytes()));
    }

    /** Releases everything. Further calls have no effect. */
    synchronized void release() {
      if (!released) {
        released = true;
        shipments.decrementAndGet();
        memory.release(memoryBytes);
        stage.release(stagedBytes);
      }
    }
  }
}
