package io.drayage.transport;

import io.drayage.frame.ShipmentException;
import io.drayage.memory.Lease;

/** Takes frames under back-pressure. Thread-safe: codec threads offer at the same time. */
public interface FrameSink {
  /**
   * Offers a frame, without waiting. Frames of one thread keep their order over one connection.
   * Over several ({@link TransportOptions#connections}) only the first frame of a shipment is sure
   * to arrive before the others.
   *
   * @param frame a whole frame, header written. Ownership passes with {@code true}: the sink closes
   *     the lease when its bytes have been handed to the wire or copied
   * @return false if there is no room now: the caller keeps the frame, waits with {@link
   *     #awaitReady} or {@link #whenReady}, and offers it again
   * @throws ShipmentException if the shipment is over; the caller keeps the frame. The same
   *     exception on every further call
   */
  boolean offer(Lease frame) throws ShipmentException;

  /**
   * Waits until {@link #offer} is worth another try. Not for event loops.
   *
   * @throws ShipmentException if the shipment is over
   */
  void awaitReady() throws ShipmentException, InterruptedException;

  /**
   * Runs {@code action} when {@link #offer} is worth another try, or the shipment is over: once, at
   * once on this thread or later on any. It must not block.
   */
  void whenReady(Runnable action);

  /** Offers {@code frame} until it is taken. Owns the frame in any case. Not for event loops. */
  default void send(Lease frame) throws ShipmentException, InterruptedException {
    boolean taken = false;
    try {
      while (!taken) {
        taken = offer(frame);
        if (!taken) {
          awaitReady();
        }
      }
    } finally {
      if (!taken) {
        frame.close();
      }
    }
  }
}
