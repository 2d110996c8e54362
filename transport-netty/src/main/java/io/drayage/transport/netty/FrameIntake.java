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
 * Takes the frames of the cargo that come over a connection, within the credit that it has in the
 * shipment. On the event loop of the connection, but for what says otherwise.
 */
final class FrameIntake {
  private final ServerConnection connection;
  private @Nullable ServerShipment shipment;

  /** Whether only control frames may come. */
  private boolean isWhole;

  /** It may have resumed the shipment: then it sends manifest and seal again, maybe too late. */
  private boolean hasJoined;

  /** Set on the event loop; the home loop of the shipment looks at it as well. */
  private volatile @Nullable CreditWindow window;

  FrameIntake(ServerConnection connection) {
    this.connection = connection;
  }

  /**
   * From now on frames are for this shipment.
   *
   * @param byJoin whether another connection opened it
   */
  void begin(ServerShipment joined, CreditWindow credit, boolean byJoin) {
    window = credit;
    shipment = joined;
    hasJoined = byJoin;
  }

  /** Whether frames are here that are not decoded. On any thread. */
  boolean hasUndecoded() {
    CreditWindow credit = window;
    return credit != null && credit.hasUndecoded();
  }

  /**
   * A frame of the cargo is about to come.
   *
   * @throws ShipmentException if the cargo is whole
   */
  void requireMore(FrameType type) throws ShipmentException {
    boolean isRepeated = hasJoined && (type == FrameType.MANIFEST || type == FrameType.SEAL);
    if (isWhole && !isRepeated) { // The shipment itself knows whether it was resumed.
      throw ShipmentHandler.behindTheCargo(type);
    }
  }

  /**
   * The frame may come.
   *
   * @throws ShipmentException {@code CREDIT_OVERRUN} if there is not so much credit
   */
  void acquire(int frameBytes) throws ShipmentException {
    CreditWindow credit = window;
    if (credit != null) {
      credit.acquire(frameBytes);
    }
  }

  /**
   * Hands the frame to the shipment. Its lease also renews the credit.
   *
   * @param recycle run once, when its memory is not needed any more
   * @throws ShipmentException if it is of another shipment
   */
  void take(FrameType type, ByteBuffer frame, Runnable recycle) throws ShipmentException {
    CreditWindow credit = window;
    ServerShipment target = shipment;
    if (credit == null || target == null) {
      recycle.run();
      return;
    }
    Lease lease = credit.lease(frame, recycle, bytes -> renew(target, bytes));
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

  /** On any thread. The next shipment over this connection must not get credit of this one. */
  private void renew(ServerShipment target, long bytes) {
    connection.onLoop(
        () -> {
          if (target.equals(shipment)) {
            connection.tell(ControlFrame.credit(target.shipmentId(), bytes));
          }
        });
  }

  /** The whole cargo is here: no further part of it may come. */
  void end() {
    isWhole = true;
    CreditWindow credit = window;
    if (credit != null) {
      credit.retire();
    }
  }

  /** The shipment goes on without the connection, or is over. */
  void leave() {
    shipment = null;
    CreditWindow credit = window;
    if (credit != null) {
      credit.close();
    }
  }

  /** Makes ready for another shipment. */
  void expectNext() {
    leave();
    isWhole = false;
  }
}
