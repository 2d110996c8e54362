package io.drayage.transport.netty;

import static io.drayage.internal.Texts.format;

import io.drayage.frame.ControlFrame;
import io.drayage.frame.Fault;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.FrameType;
import io.drayage.frame.ShipmentException;
import io.drayage.memory.Lease;
import io.drayage.transport.ShipmentHandler;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Receives the cargo's frames from one connection, within the connection's part of the shipment's
 * credit. For the event loop of the connection only, unless a method says otherwise.
 */
final class FrameIntake {
  private final ServerConnection connection;
  private @Nullable ServerShipment shipment;

  /** Whether only control frames may come. */
  private boolean isWhole;

  /** Whether the worker may have resumed, and so sends manifest and seal again, maybe too late. */
  private boolean hasJoined;

  /** Set on the event loop, and read by the home loop of the shipment too. */
  private volatile @Nullable CreditWindow window;

  FrameIntake(ServerConnection connection) {
    this.connection = connection;
  }

  /**
   * Assigns the frames that follow to this shipment.
   *
   * @param byJoin whether another connection opened the shipment
   */
  void begin(ServerShipment joined, CreditWindow credit, boolean byJoin) {
    window = credit;
    shipment = joined;
    hasJoined = byJoin;
  }

  /** Checks whether frames are undecoded. Thread-safe. */
  boolean hasUndecoded() {
    CreditWindow credit = window;
    return credit != null && credit.hasUndecoded();
  }

  /**
   * Checks that a frame of this type may still come.
   *
   * @throws ShipmentException if the cargo is complete
   */
  void requireMore(FrameType type) throws ShipmentException {
    boolean isRepeated = hasJoined && (type == FrameType.MANIFEST || type == FrameType.SEAL);
    if (isWhole && !isRepeated) { // The shipment knows whether it was resumed.
      throw ShipmentHandler.behindTheCargo(type);
    }
  }

  /**
   * Charges a frame that is about to arrive.
   *
   * @throws ShipmentException {@code CREDIT_OVERRUN} if the frame exceeds the remaining credit
   */
  void acquire(int frameBytes) throws ShipmentException {
    CreditWindow credit = window;
    if (credit != null) {
      credit.acquire(frameBytes);
    }
  }

  /**
   * Passes the frame to the shipment. The release of the frame's lease renews the credit.
   *
   * @param recycle called once, when the memory of the frame is not needed any more
   * @throws ShipmentException if the frame names another shipment
   */
  void take(FrameType type, ByteBuffer frame, Runnable recycle) throws ShipmentException {
    CreditWindow credit = window;
    ServerShipment target = shipment;
    if (credit == null || target == null) {
      recycle.run();
      return;
    }
    Lease lease = credit.lease(frame, recycle, bytes -> renew(target, credit, bytes));
    long stated = FrameHeader.shipmentId(frame);
    if (stated != target.shipmentId()) {
      lease.release();
      throw new ShipmentException(
          Fault.PROTOCOL_VIOLATION,
          format(
              "a frame of shipment %d came in shipment %d (connection %s)",
              stated, target.shipmentId(), connection.remote()));
    }
    if (type == FrameType.SEAL) {
      credit.seal();
    }
    target.onFrame(connection, lease);
  }

  /**
   * Grants credit, but not for the connection's next shipment. Less than a portion waits for the
   * frames that have been read: after a seal, nobody needs it. Thread-safe.
   */
  private void renew(ServerShipment target, CreditWindow credit, long bytes) {
    Runnable grant =
        () -> {
          if (target.equals(shipment) && !credit.isSealed()) {
            connection.tell(ControlFrame.credit(target.shipmentId(), bytes));
          }
        };
    if (credit.isPortion(bytes)) {
      connection.onLoop(grant);
    } else {
      connection.afterReading(grant);
    }
  }

  /** Refuses further frames of the cargo, because the cargo is complete. */
  void end() {
    isWhole = true;
    CreditWindow credit = window;
    if (credit != null) {
      credit.retire();
    }
  }

  /** Leaves the shipment, which is over or goes on over other connections. */
  void leave() {
    shipment = null;
    CreditWindow credit = window;
    if (credit != null) {
      credit.close();
    }
  }

  /** Prepares for another shipment. */
  void expectNext() {
    leave();
    isWhole = false;
  }
}
