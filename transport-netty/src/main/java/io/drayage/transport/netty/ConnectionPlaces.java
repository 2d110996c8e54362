package io.drayage.transport.netty;

import static io.drayage.internal.Texts.format;

import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.transport.PeerLimits;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Limits the connections to one server, for each peer and in sum. An idle connection, which waits
 * for its next shipment, keeps its place until another connection needs the place. The longest idle
 * connection loses its place first. Thread-safe.
 */
final class ConnectionPlaces {
  private final PeerLimits limits;
  private final Map<InetAddress, Integer> counts = new HashMap<>();

  /** Actions that close an idle connection when its place is needed, the longest idle first. */
  private final Map<Place, Runnable> idle = new LinkedHashMap<>();

  private int count;

  ConnectionPlaces(PeerLimits limits) {
    this.limits = limits;
  }

  /** The place of one connection. Equal only to itself. */
  final class Place {
    private final InetAddress peer;
    private boolean held = true;

    private Place(InetAddress peer) {
      this.peer = peer;
    }

    /**
     * Marks the place as idle, so that another connection may get it.
     *
     * @param onTaken called once, on any thread, if another connection gets it; must not block
     */
    void beginIdle(Runnable onTaken) {
      synchronized (ConnectionPlaces.this) {
        idle.put(this, onTaken);
      }
    }

    /** Uses the place again; false if another connection has it now. */
    boolean endIdle() {
      synchronized (ConnectionPlaces.this) {
        return idle.remove(this) != null;
      }
    }

    /** Returns the place of a closed connection. Idempotent. */
    void release() {
      synchronized (ConnectionPlaces.this) {
        free(this);
      }
    }
  }

  /**
   * Acquires a place for one more connection, to be {@linkplain Place#release released}.
   *
   * @throws ShipmentException {@code BUSY} if there are too many and none is idle
   */
  Place acquire(InetAddress peer) throws ShipmentException {
    Runnable onTaken;
    Place place;
    synchronized (this) {
      int ofPeer = counts.getOrDefault(peer, 0);
      onTaken = null;
      if (count >= limits.maxConnections() || ofPeer >= limits.maxConnectionsPerPeer()) {
        onTaken = takeIdle(ofPeer >= limits.maxConnectionsPerPeer() ? peer : null);
      }
      if (onTaken == null) {
        requireBelow("connections", count, limits.maxConnections(), "maxConnections");
        requireBelow(
            "connections from " + peer,
            ofPeer,
            limits.maxConnectionsPerPeer(),
            "maxConnectionsPerPeer");
      }
      place = new Place(peer);
      counts.merge(peer, 1, Integer::sum);
      count++;
    }
    if (onTaken != null) {
      onTaken.run();
    }
    return place;
  }

  /** Frees the place that has been idle longest, if there is one. The caller holds the monitor. */
  private @Nullable Runnable takeIdle(@Nullable InetAddress peer) {
    for (Iterator<Map.Entry<Place, Runnable>> each = idle.entrySet().iterator(); each.hasNext(); ) {
      Map.Entry<Place, Runnable> next = each.next();
      if (peer == null || peer.equals(next.getKey().peer)) {
        each.remove();
        free(next.getKey());
        return next.getValue();
      }
    }
    return null;
  }

  /** Frees a place. The caller holds the monitor. */
  private void free(Place place) {
    idle.remove(place);
    if (place.held) {
      place.held = false;
      count--;
      counts.compute(
          place.peer, (peer, used) -> Objects.requireNonNull(used) == 1 ? null : used - 1);
    }
  }

  private static void requireBelow(String what, int used, int limit, String option)
      throws ShipmentException {
    if (used >= limit) {
      throw new ShipmentException(
          Fault.BUSY,
          format("%,d %s already, the limit is %,d (PeerLimits.%s)", used, what, limit, option));
    }
  }
}
