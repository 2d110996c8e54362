package io.drayage.bench.codecs.work;

import io.drayage.frame.Fault;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.FrameType;
import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.memory.Lease;
import io.drayage.transport.Shipment;
import io.drayage.transport.TransportClient;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A transport without a wire: releases every frame at once on the thread that offers it, and
 * answers the seal as if the cargo had taken effect. It always accepts, so that only the worker's
 * side takes time. Thread-safe.
 */
final class FramesDropped implements TransportClient {
  private static final long SHIPMENT_ID = 1;

  private final Look look;

  /** Sees every frame before it is dropped. Called by all codec threads at the same time. */
  @FunctionalInterface
  interface Look {
    /** Sees a whole frame, from position to limit; must not keep it. */
    void at(ByteBuffer frame) throws ShipmentException;
  }

  /**
   * @param look sees the frames
   */
  FramesDropped(Look look) {
    this.look = look;
  }

  @Override
  public Shipment open(ShipmentHeader header) {
    return new DroppedShipment(look);
  }

  @Override
  public void close() {}

  private static final class DroppedShipment implements Shipment {
    private final Look look;
    private final CompletableFuture<Seal> held = new CompletableFuture<>();
    private final CompletableFuture<Long> committed = new CompletableFuture<>();
    private volatile @Nullable ShipmentException failure;

    DroppedShipment(Look look) {
      this.look = look;
    }

    @Override
    public long id() {
      return SHIPMENT_ID;
    }

    @Override
    public boolean offer(Lease frame) throws ShipmentException {
      awaitReady();
      ByteBuffer bytes = frame.buffer();
      look.at(bytes);
      if (FrameHeader.type(bytes) == FrameType.SEAL) {
        held.complete(Seal.ofPayload(FrameHeader.verify(bytes)));
        committed.complete(SHIPMENT_ID);
      }
      frame.close();
      return true;
    }

    @Override
    public void awaitReady() throws ShipmentException {
      ShipmentException over = failure;
      if (over != null) {
        throw over;
      }
    }

    @Override
    public void whenReady(Runnable action) {
      action.run();
    }

    @Override
    public CompletableFuture<Seal> held() {
      return held;
    }

    @Override
    public CompletableFuture<Long> committed() {
      return committed;
    }

    @Override
    public void cancel(ShipmentException cause) {
      if (held.completeExceptionally(cause)) {
        failure = cause;
      }
      committed.completeExceptionally(cause);
    }

    @Override
    public void close() {
      cancel(new ShipmentException(Fault.CANCELLED, "the worker closed its shipment"));
    }
  }
}
