package io.drayage.receive;

import io.drayage.cargo.ChangeCargo;
import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.memory.Lease;
import io.drayage.segment.CargoAssembler;
import io.drayage.segment.CargoSink;
import io.drayage.segment.FrameStore;
import io.drayage.segment.Manifest;
import io.drayage.segment.internal.StagingSink;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The cargo of a shipment while it is received and committed: put together in memory, or staged.
 * Thread-safe: any thread may drop what another one fills.
 */
final class SessionCargo {
  private final CargoReceiver receiver;
  private final ShipmentHeader header;
  private final ReceiverQuota.ShipmentQuota quota;

  /** The cargo, if it is put together in memory. Set before it is whole. */
  private volatile @Nullable ChangeCargo inMemory;

  /** About what a segment fills. Set before one is decoded. */
  private volatile long memoryOfSegment;

  /** The cargo, if it is staged. Set before it is whole. */
  private volatile @Nullable StagingSink staged;

  /**
   * @param quota released with this
   */
  SessionCargo(CargoReceiver receiver, ShipmentHeader header, ReceiverQuota.ShipmentQuota quota) {
    this.receiver = receiver;
    this.header = header;
    this.quota = quota;
  }

  /**
   * Acquires memory, or room on the stage, until the shipment is over.
   *
   * @param frame of the manifest; stays the caller's
   * @throws ShipmentException if there is not so much
   */
  CargoSink open(Manifest manifest, Lease frame) throws ShipmentException {
    CargoStage stage = receiver.stageFor(manifest);
    if (stage == null) {
      quota.acquireMemory(manifest.rawBytes());
      memoryOfSegment = manifest.rawBytes() / Math.max(1, manifest.segments().size());
      CargoAssembler assembler = new CargoAssembler(manifest);
      inMemory = assembler.cargo();
      return assembler;
    }
    quota.acquireStage(manifest.rawBytes());
    FrameStore store = stage.begin(manifest);
    boolean opened = false;
    try {
      StagingSink sink = new StagingSink(manifest, store);
      store.append(frame.buffer());
      opened = true;
      staged = sink;
      return sink;
    } finally {
      if (!opened) {
        store.abort();
      }
    }
  }

  /** Of a stream, which asks for memory as it fills it. */
  void acquireAndFill(long bytes) throws ShipmentException {
    quota.acquireMemory(bytes);
    quota.moved(bytes);
  }

  /** So many segments have been decoded. */
  void filled(int segments) {
    quota.moved(segments * memoryOfSegment);
  }

  /** The cargo of a stream is whole. */
  void hold(ChangeCargo cargo) {
    inMemory = cargo;
  }

  /** Drops what is in memory, but not what it was acquired for. */
  void dropMemory() {
    inMemory = null;
  }

  /** What is handed to the committer. May wait for a disk. */
  ReceivedCargo received(Seal seal) throws ShipmentException {
    StagingSink sink = staged;
    return sink == null
        ? new ReceivedCargo.InMemory(header, Objects.requireNonNull(inMemory))
        : new ReceivedCargo.Staged(header, sink.manifest(), sink.digest(), seal, sink.finish(seal));
  }

  /** There was no commit. */
  void abortStaged() {
    StagingSink sink = staged;
    if (sink != null) {
      sink.abort();
    }
  }

  /** The shipment is over. */
  void release() {
    inMemory = null;
    staged = null;
    quota.release();
  }
}
