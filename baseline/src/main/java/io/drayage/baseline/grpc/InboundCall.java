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
 * One of the calls that bring the frames of a shipment, with the number of messages that it may
 * still send. The first frame names the shipment. gRPC calls this by one thread at a time; the
 * other methods are thread-safe.
 */
final class InboundCall implements StreamObserver<Lease> {
  private final ServerCallStreamObserver<Lease> call;
  private final HaulService service;
  private final long openedNs = System.nanoTime();

  /** This field and the next: null until the first frame; set by gRPC's thread. */
  private volatile @Nullable InboundWindow window;

  private volatile @Nullable InboundShipment shipment;

  /** This field and the next: guarded by the monitor. */
  private boolean named;

  private boolean answered;

  InboundCall(ServerCallStreamObserver<Lease> call, HaulService service) {
    this.call = call;
    this.service = service;
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
      if (mine != null && FrameHeader.type(frame) != FrameType.JOIN) {
        passedOn = true;
        mine.onFrame(this, message);
      }
    } catch (ShipmentException e) {
      if (mine == null) {
        refuse(e);
      } else {
        mine.abort(e);
      }
    } finally {
      if (!passedOn) {
        message.release();
      }
    }
  }

  /** Finds the shipment that the frame names; null if the call has been answered already. */
  private @Nullable InboundShipment begin(ByteBuffer frame) throws ShipmentException {
    ByteBuffer payload = FrameHeader.verify(frame);
    InboundShipment mine = service.get(FrameHeader.shipmentId(frame));
    synchronized (this) {
      if (answered) {
        return null;
      }
      named = true;
    }
    service.remove(this);
    InboundWindow mayCome =
        FrameHeader.type(frame) == FrameType.JOIN
            ? mine.join(this, Join.ofPayload(payload))
            : mine.lead(this);
    window = mayCome;
    shipment = mine;
    request(mayCome.open());
    return mine;
  }

  private void refuse(ShipmentException cause) {
    service.remove(this);
    answer(HaulService.failed(cause));
  }

  @Override
  public void onError(Throwable cause) {
    onGone();
  }

  @Override
  public void onCompleted() {
    InboundShipment mine = shipment;
    if (mine == null) {
      refuse(
          new ShipmentException(
              Fault.PROTOCOL_VIOLATION, "a call without a frame belongs to no shipment"));
    } else {
      mine.onShipped(this);
    }
  }

  /** Ends the call after the connection, or only the call, was cut off. */
  void onGone() {
    service.remove(this);
    InboundShipment mine = shipment;
    if (mine != null) {
      mine.peerGone(new ShipmentException(Fault.PEER_GONE, "the worker's call was cut off"));
    }
  }

  /** Time since the call was opened, in nanoseconds. */
  long openNs() {
    return System.nanoTime() - openedNs;
  }

  /** Answers a call that has not named a shipment yet; has no effect on any other call. */
  void endNameless(ShipmentException cause) {
    synchronized (this) {
      if (named) {
        return;
      }
      answer(HaulService.failed(cause));
    }
    service.remove(this);
  }

  /** Counts a frame that has arrived, until {@link #onReleased}. */
  void onArrived(int frameBytes) {
    InboundWindow counted = window;
    if (counted != null) {
      request(counted.onArrived(frameBytes));
    }
  }

  void onReleased(int frameBytes) {
    InboundWindow counted = window;
    if (counted != null) {
      request(counted.onReleased(frameBytes));
    }
  }

  /** Whether frames that this call has brought are still needed. */
  boolean hasUndecoded() {
    InboundWindow counted = window;
    return counted != null && counted.heldBytes() > 0;
  }

  private void request(int messages) {
    if (messages > 0) {
      call.request(messages);
    }
  }

  /** Answers the call, unless it was answered before. */
  synchronized void answer(ByteBuffer frame) {
    if (!answered) {
      answered = true;
      HaulService.answer(call, frame);
    }
  }
}
