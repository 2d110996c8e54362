package io.drayage.transport.netty;

import static io.drayage.internal.Texts.format;
import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import java.time.Duration;
import java.util.concurrent.Semaphore;

/**
 * Bounds the number of concurrent shipments of one client, so that a thousand threads do not open a
 * thousand connections. Further shipments wait in FIFO order. Thread-safe.
 */
final class ClientPlaces {
  /** Number of permits that {@link #close} adds: more than there are threads. */
  private static final int WITHOUT_END = Integer.MAX_VALUE / 2;

  private final int limit;
  private final Semaphore free;
  private volatile boolean closed;

  ClientPlaces(int limit) {
    this.limit = limit;
    this.free = new Semaphore(Math.min(limit, WITHOUT_END), true);
  }

  /**
   * Waits for a place, which the caller must {@link #release}.
   *
   * @throws ShipmentException {@code BUSY} after a timeout, {@code CANCELLED} if the client is
   *     closed
   */
  void acquire(Duration patience) throws ShipmentException, InterruptedException {
    boolean acquired = free.tryAcquire(NANOSECONDS.convert(patience), NANOSECONDS);
    if (closed) {
      throw closed();
    }
    if (!acquired) {
      throw new ShipmentException(
          Fault.BUSY,
          format(
              "other threads used all places for shipments of this client for %,d ms, the limit is %,d (PeerLimits.maxShipmentsPerPeer); %,d more wait",
              patience.toMillis(), limit, free.getQueueLength()));
    }
  }

  void release() {
    free.release();
  }

  /** Wakes all waiting threads. */
  synchronized void close() {
    if (!closed) {
      closed = true;
      free.release(WITHOUT_END);
    }
  }

  static ShipmentException closed() {
    return new ShipmentException(Fault.CANCELLED, "the client is closed");
  }
}
