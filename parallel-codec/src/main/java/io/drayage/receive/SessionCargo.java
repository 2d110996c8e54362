package io.drayage.receive;

import io.drayage.cargo.ChangeCargo;
import io.drayage.frame.ShipmentException;
import io.drayage.segment.CargoAssembler;
import io.drayage.segment.Manifest;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The cargo of a shipment while it is received and committed. Thread-safe: any thread may drop a
 * cargo that another thread fills.
 */
final class SessionCargo {
  private final ReceiverQuota.ShipmentQuota quota;

  /** Set before the cargo is whole. */
  private volatile @Nullable ChangeCargo cargo;

  /** The mean memory of a segment in bytes. Set before a segment is decoded. */
  private volatile long memoryOfSegment;

  /**
   * @param quota released with this
   */
  SessionCargo(ReceiverQuota.ShipmentQuota quota) {
    this.quota = quota;
  }

  /**
   * Acquires memory until the shipment is over.
   *
   * @throws ShipmentException if there is not enough
   */
  CargoAssembler open(Manifest manifest) throws ShipmentException {
    quota.acquireMemory(manifest.memoryBytes());
    memoryOfSegment = manifest.memoryBytes() / Math.max(1, manifest.segments().size());
    CargoAssembler assembler = new CargoAssembler(manifest);
    cargo = assembler.cargo();
    return assembler;
  }

  /** Acquires memory for a stream, which asks for it when it fills it. */
  void acquireAndFill(long bytes) throws ShipmentException {
    quota.acquireMemory(bytes);
    quota.moved(bytes);
  }

  /** Counts so many segments as decoded. */
  void filled(int segments) {
    quota.moved(segments * memoryOfSegment);
  }

  /** Sets the whole cargo of a stream. */
  void hold(ChangeCargo whole) {
    cargo = whole;
  }

  /** Returns the cargo to be committed. Only for a whole cargo. */
  ChangeCargo whole() {
    return Objects.requireNonNull(cargo);
  }

  /** Drops the cargo, but keeps the memory that was acquired for it. */
  void dropMemory() {
    cargo = null;
  }

  /** Releases everything, since the shipment is over. */
  void release() {
    cargo = null;
    quota.release();
  }
}
