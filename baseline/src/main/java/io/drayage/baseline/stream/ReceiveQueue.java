package io.drayage.baseline.stream;

import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.memory.Lease;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * The frames between the transport's thread and the thread that deserializes. Unbounded, so that
 * the transport's thread never waits: the transport's credit limits it.
 */
final class ReceiveQueue {
  private final Queue<Lease> frames = new ArrayDeque<>();
  private boolean closed;
  private @Nullable ShipmentException failure;

  /** Adds a frame, or releases it at once if the queue is closed. Does not wait. */
  synchronized void add(Lease frame) {
    if (closed) {
      frame.close();
      return;
    }
    frames.add(frame);
    notifyAll();
  }

  /**
   * Takes the next frame, which the caller then owns.
   *
   * @throws ShipmentException if the shipment was aborted
   */
  synchronized Lease take() throws ShipmentException {
    try {
      while (!closed && frames.isEmpty()) {
        wait();
      }
    } catch (InterruptedException e) {
      throw new ShipmentException(Fault.CANCELLED, "interrupted", e);
    }
    if (failure != null) {
      throw failure;
    }
    return frames.remove();
  }

  /** Whether the transport has aborted the shipment. */
  synchronized boolean isAborted() {
    return failure != null;
  }

  /** Releases all queued frames, and every later frame. */
  synchronized void close() {
    closed = true;
    frames.forEach(Lease::close);
    frames.clear();
  }

  /** Closes the queue and makes {@link #take} fail. */
  synchronized void abort(ShipmentException cause) {
    failure = cause;
    close();
    notifyAll();
  }
}
