package io.drayage.baseline.grpc;

import io.drayage.frame.ShipmentException;
import io.drayage.memory.Lease;
import io.drayage.transport.ShipmentHandler;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The way into the handler of a shipment: one thread at a time, and the first frame before any
 * other. Calls, the timer and the closing server all have something to tell it. Thread-safe; its
 * monitor is taken before that of the shipment.
 */
final class HandlerGate {
  private final BooleanSupplier isOver;

  /** Null until accepted and when no longer to be called. */
  private @Nullable ShipmentHandler handler;

  private @Nullable ShipmentException abortCause;

  /** Frames that overtook the first one. The windows bound them. */
  private final List<Lease> early = new ArrayList<>();

  private volatile boolean begun;

  /**
   * @param isOver whether the shipment has its outcome, and the handler knows
   */
  HandlerGate(BooleanSupplier isOver) {
    this.isOver = isOver;
  }

  /** Tells who gets the frames; whom it tells at once if the shipment was aborted meanwhile. */
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
   * Passes a frame on, which it owns.
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
   * Passes nothing on from now, and tells the handler unless it knows.
   *
   * @return whether the cargo takes no effect; not sure if it was aborted before
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
