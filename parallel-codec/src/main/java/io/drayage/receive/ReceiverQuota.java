package io.drayage.receive;

import static io.drayage.internal.Texts.format;

import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.memory.ByteBudget;
import io.drayage.receive.internal.ShipmentPace;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Bounds the shipments that are received at a time, and the memory of their cargoes; shares both
 * among workers, and takes them back from shipments that hardly move while others wait ({@link
 * ShipmentPace}). Thread-safe.
 */
final class ReceiverQuota {
  private final int maxShipments;
  private final ByteBudget memory;
  private final LongSupplier clockNs;
  private final AtomicInteger shipments = new AtomicInteger();
  private final AdmissionQueue forShipments;
  private final AdmissionQueue forMemory;

  /** The shipments that are under way. */
  private final Set<ShipmentQuota> admitted = ConcurrentHashMap.newKeySet();

  ReceiverQuota(ReceiverLimits limits, LongSupplier clockNs) {
    this.maxShipments = limits.maxShipments();
    this.memory = new ByteBudget(limits.maxReceivingBytes());
    this.clockNs = clockNs;
    this.forShipments = new AdmissionQueue(clockNs, worker -> holds(worker, quota -> true));
    this.forMemory =
        new AdmissionQueue(clockNs, worker -> holds(worker, quota -> quota.memoryBytes > 0));
  }

  private boolean holds(String worker, Predicate<ShipmentQuota> something) {
    return admitted.stream()
        .anyMatch(quota -> quota.worker.equals(worker) && something.test(quota));
  }

  boolean isUnderWay(UUID transactionId) {
    return admitted.stream().anyMatch(quota -> quota.transactionId.equals(transactionId));
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
  ShipmentQuota admit(UUID transactionId, String worker) throws ShipmentException {
    if (!forShipments.admits(transactionId, worker, this::tryAddShipment)) {
      throw new ShipmentException(
          Fault.BUSY,
          format(
              "%,d shipments are under way already, the limit is %,d (ReceiverLimits.maxShipments)",
              shipments.get(), maxShipments));
    }
    ShipmentQuota quota = new ShipmentQuota(transactionId, worker);
    admitted.add(quota);
    return quota;
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
    private final String worker;
    private final ShipmentPace pace = new ShipmentPace();
    private volatile @Nullable Consumer<ShipmentException> end;
    private volatile BooleanSupplier takesBytes = () -> true;

    /** Written with the monitor. */
    private volatile long memoryBytes;

    private boolean released;

    private ShipmentQuota(UUID transactionId, String worker) {
      this.transactionId = transactionId;
      this.worker = worker;
    }

    /**
     * What ends the shipment if it is too slow while others wait; may be called at any time.
     *
     * @param keepsUp whether this node takes what the shipment sends
     */
    void endsBy(Consumer<ShipmentException> ending, BooleanSupplier keepsUp) {
      takesBytes = keepsUp;
      end = ending;
    }

    /** Whether no other shipment of its transaction is under way. */
    boolean isOnlyOfItsTransaction() {
      return admitted.stream()
          .noneMatch(quota -> quota != this && quota.transactionId.equals(transactionId));
    }

    /** So many bytes of what was acquired are of use now. */
    void moved(long bytes) {
      pace.moved(bytes);
    }

    /**
     * Acquires memory for a cargo.
     *
     * @throws ShipmentException {@code BUSY} if there is too little now, {@code LIMIT} if there
     *     never is enough
     */
    void acquireMemory(long bytes) throws ShipmentException {
      if (!tryAcquireMemory(bytes)) {
        // Not with the monitor: it ends others, which may be ending this one.
        endTheSlow();
        throw noRoom(bytes);
      }
    }

    private synchronized boolean tryAcquireMemory(long bytes) throws ShipmentException {
      if (bytes > memory.limitBytes() - memoryBytes) {
        throw new ShipmentException(
            Fault.LIMIT,
            format(
                "the cargo takes %,d bytes of memory, more than the limit of %,d for all that are received",
                memoryBytes + bytes, memory.limitBytes()));
      }
      if (released || !forMemory.admits(transactionId, worker, () -> memory.tryAcquire(bytes))) {
        return false;
      }
      memoryBytes += bytes;
      pace.acquired(bytes, clockNs.getAsLong());
      return true;
    }

    private void endIfSlow(long nowNs) {
      Consumer<ShipmentException> ending = end;
      ShipmentException slow = ending == null ? null : pace.check(nowNs, takesBytes.getAsBoolean());
      if (ending != null && slow != null) {
        ending.accept(slow);
      }
    }

    private ShipmentException noRoom(long bytes) {
      return new ShipmentException(
          Fault.BUSY,
          format(
              "no room for %,d bytes now: %,d of %,d are used by other cargoes (ReceiverLimits.maxReceivingBytes)",
              bytes, memory.usedBytes(), memory.limitBytes()));
    }

    /** Releases everything. Further calls have no effect. */
    synchronized void release() {
      if (!released) {
        released = true;
        admitted.remove(this);
        memory.release(memoryBytes);
        // Last, so that nothing is held when no shipment is under way.
        shipments.decrementAndGet();
      }
    }
  }

  private void endTheSlow() {
    long nowNs = clockNs.getAsLong();
    admitted.forEach(quota -> quota.endIfSlow(nowNs));
  }
}
