package io.drayage.transport.netty;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Credit that a shipment has reserved of the server's budget and of its peer's part. Owned by the
 * shipment and by the window of each of its connections; the last one to release it returns the
 * bytes. Thread-safe.
 */
final class Reservation {
  private final Runnable onReleased;
  private final AtomicInteger owners = new AtomicInteger(1);
  private final CompletableFuture<Void> released = new CompletableFuture<>();

  /** A reservation with one owner. */
  Reservation(Runnable onReleased) {
    this.onReleased = onReleased;
  }

  /** Adds an owner. Only for a current owner. */
  void retain() {
    owners.incrementAndGet();
  }

  /** Ends one ownership. */
  void release() {
    if (owners.decrementAndGet() == 0) {
      onReleased.run();
      released.complete(null);
    }
  }

  /** Completes when no owner is left, so that nothing of its frames is in memory. */
  CompletableFuture<Void> whenReleased() {
    return released;
  }
}
