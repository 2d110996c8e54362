package io.drayage.baseline.grpc;

import io.drayage.frame.Fault;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.FrameType;
import io.drayage.frame.Join;
import io.drayage.frame.ShipmentException;
import io.drayage.memory.Lease;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The frames of one call. The first one says which shipment they belong to. gRPC calls this object
 * by one thread at a time; the timer may come in between, for as long as there is no shipment.
 */
final class ShipCall implements StreamObserver<Lease> {
  private final ServerCallStreamObserver<Lease> call;
  private final InboundShipments shipments;
  private final long openedNs = System.nanoTime();
  private @Nullable InboundShipment shipment;
  private @Nullable InboundCall joined;
  private boolean ended;

  ShipCall(ServerCallStreamObserver<Lease> call, InboundShipments shipments) {
    this.call = call;
    this.shipments = shipments;
  }

  @Override
  public void onNext(Lease message) {
    InboundShipment mine = shipment;
    boolean passedOn = false;
    try {
      ByteBuffer frame = Frames.checked(message.buffer());
      if (mine == null) {
        mine = begin(frame);
      }
      InboundCall from = joined;
      if (mine != null && from != null && FrameHeader.type(frame) != FrameType.JOIN) {
        passedOn = true;
        mine.onFrame(from, message);
      }
    } catch (ShipmentException e) {
      if (mine == null) {
        end(e);
      } else {
        mine.abort(e);
      }
    } finally {
      if (!passedOn) {
        message.close();
      }
    }
  }

  private @Nullable InboundShipment begin(ByteBuffer frame) throws ShipmentException {
    ByteBuffer payload = FrameHeader.verify(frame);
    synchronized (this) {
      if (ended) {
        return null;
      }
      InboundShipment named = shipments.get(FrameHeader.shipmentId(frame));
      joined =
          FrameHeader.type(frame) == FrameType.JOIN
              ? named.join(call, Join.ofPayload(payload))
              : named.ship(call);
      shipments.remove(this);
      shipment = named;
      return named;
    }
  }

  @Override
  public void onError(Throwable cause) {
    onGone();
  }

  @Override
  public void onCompleted() {
    InboundShipment mine = shipment;
    InboundCall from = joined;
    if (mine == null || from == null) {
      end(
          new ShipmentException(
              Fault.PROTOCOL_VIOLATION, "a call without a frame belongs to no shipment"));
    } else {
      mine.onShipped(from);
    }
  }

  /** The connection, or the call alone, was cut off. */
  void onGone() {
    shipments.remove(this);
    InboundShipment mine;
    synchronized (this) {
      ended = true;
      mine = shipment;
    }
    if (mine != null) {
      mine.peerGone(new ShipmentException(Fault.PEER_GONE, "the worker's call was cut off"));
    }
  }

  /** For how long the call has been open without having named its shipment. */
  long namelessNs() {
    return System.nanoTime() - openedNs;
  }

  /** Answers a call that belongs to no shipment. */
  void end(ShipmentException cause) {
    shipments.remove(this);
    synchronized (this) {
      if (ended || shipment != null) {
        return;
      }
      ended = true;
      HaulService.fail(call, 0, cause);
    }
  }
}
