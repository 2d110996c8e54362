package io.drayage.baseline.grpc;

import io.drayage.frame.ShipmentException;
import io.drayage.memory.Lease;
import io.drayage.transport.ShipmentHandler;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The only access to the handler of a shipment: one thread at a time, and the first frame before
 * any other. Calls, the timer and the closing server all notify the handler. Thread-safe; a thread
 * acquires the gate's monitor before that of the shipment.
 */
final class HandlerGate {
  private final BooleanSupplier isOver;

  /** Null until accepted, and after the last call to it. */
  private @Nullable ShipmentHandler handler;

  private @Nullable ShipmentException abortCause;

  /** Frames that overtook the first one. The windows limit their number. */
  private final List<Lease> early = new ArrayList<>();

  private volatile boolean begun;

  /**
   * @param isOver whether the shipment has its outcome and the handler has been notified
   */
  HandlerGate(BooleanSupplier isOver) {
    this.isOver = isOver;
  }

  /** Sets the handler that gets the frames; notifies it at once of an earlier abort. */
  synchronized void open(ShipmentHandler accepted) {
    if (abortCause == null) {
      handler = accepted;
    } else {
      boolean unused = accepted.onAborted(abortCause);
    }
  }

  /** Whether the leading call has brought the first frame. */
  boolean hasBegun() {
    return begun;
  }

  /**
   * Passes on a frame, which it owns.
   *
   * @param leads whether the leading call has brought it
   */
  synchronized void onFrame(Lease frame, boolean leads) {
    ShipmentHandler target = handler;
    if (target == null || isOver.getAsBoolean()) {
      frame.release();
    } else if (begun || leads) {
      target.onFrame(frame);
      begun = true;
      early.forEach(target::onFrame);
      early.clear();
    } else {
      early.add(frame);
    }
  }

  /**
   * Passes nothing on from now, and notifies the handler unless it has been notified.
   *
   * @return whether the cargo takes no effect; false if that is not certain
   */
  synchronized boolean abort(ShipmentException cause) {
    boolean isFirst = abortCause == null;
    ShipmentHandler aborted = handler;
    handler = null;
    abortCause = cause;
    early.forEach(Lease::release);
    early.clear();
    if (aborted != null && !isOver.getAsBoolean()) {
      return aborted.onAborted(cause);
    }
    return aborted == null && isFirst;
  }
}
