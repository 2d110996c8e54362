package io.drayage.transport.netty;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * What a shipment takes of the server's budget and of its peer's share, from its acceptance until
 * it is over and its last frame is decoded: held by the shipment and by the window of each of its
 * connections, and given back by the last of them. Thread-safe.
 */
final class Reservation {
  private final Runnable giveBack;
  private final AtomicInteger holders = new AtomicInteger(1);

  /** A reservation with one holder. */
  Reservation(Runnable giveBack) {
    this.giveBack = giveBack;
  }

  /** One more holder; only for somebody who holds it. */
  void hold() {
    holders.incrementAndGet();
  }

  /** One more holder, unless everything was given back already. */
  boolean tryHold() {
    int now = holders.get();
    while (now > 0 && !holders.compareAndSet(now, now + 1)) {
      now = holders.get();
    }
    return now > 0;
  }

  /** One holder less. */
  void letGo() {
    if (holders.decrementAndGet() == 0) {
      giveBack.run();
    }
  }
}
