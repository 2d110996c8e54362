package io.drayage.transport.netty;

import java.time.Duration;

/**
 * The time between two shipments over one connection, on the transactor's side. On its event loop.
 */
final class IdleTime {
  /** No shipment has this number. */
  static final long NONE = 0;

  /**
   * How long a connection gets further shipments: a certificate that has expired, or a name that
   * may not ship any more, does not stay for ever.
   */
  private static final Duration MAX_AGE = Duration.ofMinutes(10);

  private final ConnectionPlaces.Place place;
  private final long timeoutNs;
  private final long connectedNs = System.nanoTime();
  private long formerId = NONE;
  private long sinceNs;

  /**
   * @param place is offered to other connections in the meantime
   * @param timeout how long it may last
   */
  IdleTime(ConnectionPlaces.Place place, Duration timeout) {
    this.place = place;
    this.timeoutNs = timeout.toNanos();
  }

  /**
   * A shipment was committed.
   *
   * @param onTaken run if another connection gets the place, on any thread
   * @return whether the connection may have another shipment
   */
  boolean begin(long committedId, Runnable onTaken) {
    formerId = committedId;
    sinceNs = System.nanoTime();
    place.beginIdle(onTaken);
    return sinceNs - connectedNs < MAX_AGE.toNanos();
  }

  /** The next shipment is asked for, or none will be; false if another one has the place. */
  boolean end() {
    boolean wasIdle = isNow();
    formerId = NONE;
    return !wasIdle || place.endIdle();
  }

  boolean isNow() {
    return formerId != NONE;
  }

  /** The latest shipment that was committed, while it {@link #isNow}; else {@link #NONE}. */
  long formerId() {
    return formerId;
  }

  boolean isOver() {
    return isNow() && System.nanoTime() - sinceNs > timeoutNs;
  }
}
