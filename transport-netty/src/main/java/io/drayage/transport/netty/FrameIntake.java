package io.drayage.transport.netty;

import static io.drayage.internal.Texts.format;

import io.drayage.frame.ControlFrame;
import io.drayage.frame.Credit;
import io.drayage.frame.Fault;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.FrameType;
import io.drayage.frame.OpenRequest;
import io.drayage.frame.ShipmentException;
import io.drayage.memory.Lease;
import io.drayage.transport.ShipmentHandler;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Receives the cargo's frames from one connection, within the connection's part of the shipment's
 * credit. For the event loop of the connection only, unless a method says otherwise.
 */
final class FrameIntake {
  private final ServerConnection connection;
  private @Nullable ServerShipment shipment;

  /** Complete frames of a small cargo whose request waits for room. */
  private final Deque<EarlyFrame> early = new ArrayDeque<>();

  private boolean mayBeEarly;

  /** Credit for frames before the acceptance. */
  private int earlyCreditBytes;

  /** Whether the frame that arrives has begun before the acceptance. */
  private boolean isEarly;

  /** Whether only control frames may come. */
  private boolean isWhole;

  /** Whether the worker may have resumed, and so sends manifest and seal again, maybe too late. */
  private boolean hasJoined;

  /** Set on the event loop, and read by the home loop of the shipment too. */
  private volatile @Nullable CreditWindow window;

  FrameIntake(ServerConnection connection) {
    this.connection = connection;
  }

  private record EarlyFrame(FrameType type, ByteBuffer frame, Runnable recycle) {}

  /** Allows the frames of a small cargo before the acceptance of its request. */
  void allowEarly(OpenRequest wanted) {
    mayBeEarly = wanted.isOfSmallCargo();
    earlyCreditBytes = Math.max(Credit.MIN_CHARGE_BYTES, wanted.creditBytes());
  }

  /** Checks whether a frame may come before the acceptance. */
  boolean mayBeEarly() {
    return mayBeEarly;
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

  /**
   * Passes on the frames that came before the acceptance.
   *
   * @throws ShipmentException as {@link #acquire} and {@link #take}; further frames stay
   */
  void takeEarly() throws ShipmentException {
    for (EarlyFrame next = early.poll(); next != null; next = early.poll()) {
      takeEarly(next);
    }
  }

  private void takeEarly(EarlyFrame next) throws ShipmentException {
    try {
      acquire(next.frame.remaining());
    } catch (ShipmentException e) {
      next.recycle.run();
      throw e;
    }
    take(next.type, next.frame, next.recycle);
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
    isEarly = shipment == null;
    if (isEarly) {
      earlyCreditBytes -= Credit.charge(frameBytes);
      if (earlyCreditBytes < 0) {
        throw new ShipmentException(
            Fault.CREDIT_OVERRUN,
            format(
                "a frame of %,d bytes exceeds the credit that its request wanted by %,d",
                frameBytes, -earlyCreditBytes));
      }
    } else if (credit != null) {
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
    if (isEarly) {
      isEarly = false;
      EarlyFrame begun = new EarlyFrame(type, frame, recycle);
      if (target == null) {
        early.add(begun);
      } else {
        takeEarly(begun);
      }
      return;
    }
    if (credit == null || target == null) {
      recycle.run();
      return;
    }
    Lease lease = credit.lease(frame, recycle, bytes -> renew(target, credit, bytes));
    long stated = FrameHeader.shipmentId(frame);
    if (!target.mayState(stated)) {
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
   * Grants credit, but not for the connection's next shipment. Less than a portion, and that of a
   * small cargo, waits for the frames that have been read: after a seal, nobody needs it.
   * Thread-safe.
   */
  private void renew(ServerShipment target, CreditWindow credit, long bytes) {
    Runnable grant =
        () -> {
          if (target.equals(shipment) && !credit.isSealed()) {
            connection.tell(ControlFrame.credit(target.shipmentId(), bytes));
          }
        };
    if (credit.isPortion(bytes) && !target.isOfSmallCargo()) {
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
    early.forEach(frame -> frame.recycle.run());
    early.clear();
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
