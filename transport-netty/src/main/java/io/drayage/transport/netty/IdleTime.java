package io.drayage.transport.netty;

import java.time.Duration;

/** The time between two shipments over one connection of the transactor. Event loop only. */
final class IdleTime {
  /** A number that no shipment has. */
  static final long NONE = 0;

  /**
   * Age at which a connection gets no further shipment. This bounds the use of an expired
   * certificate, or of a name that may not ship any more.
   */
  private static final Duration MAX_AGE = Duration.ofMinutes(10);

  private final ConnectionPlaces.Place place;
  private final long timeoutNs;
  private final long connectedNs = System.nanoTime();
  private long formerId = NONE;
  private long sinceNs;

  /**
   * @param place offered to other connections during the idle time
   * @param timeout the longest idle time
   */
  IdleTime(ConnectionPlaces.Place place, Duration timeout) {
    this.place = place;
    this.timeoutNs = timeout.toNanos();
  }

  /**
   * Begins the idle time after a commit.
   *
   * @param onTaken called on any thread if another connection gets the place
   * @return whether the connection may have another shipment
   */
  boolean begin(long committedId, Runnable onTaken) {
    formerId = committedId;
    sinceNs = System.nanoTime();
    place.beginIdle(onTaken);
    return sinceNs - connectedNs < MAX_AGE.toNanos();
  }

  /** Ends the idle time; false if another connection has the place. */
  boolean end() {
    boolean wasIdle = isNow();
    formerId = NONE;
    return !wasIdle || place.endIdle();
  }

  boolean isNow() {
    return formerId != NONE;
  }

  /** Returns the latest committed shipment while {@link #isNow}, else {@link #NONE}. */
  long formerId() {
    return formerId;
  }

  boolean isOver() {
    return isNow() && System.nanoTime() - sinceNs > timeoutNs;
  }
}
