package io.drayage.transport.netty;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Idle connections of a client, whose shipments were committed, for its next shipments. Bounded in
 * number. A connection is either kept here or used by a shipment. Thread-safe.
 */
final class KeptConnections {
  private final int limit;

  /** The idle connections, the most recently used first, so that the others expire. */
  private final Deque<WorkerConnection> idle = new ArrayDeque<>();

  private boolean closed;

  KeptConnections(int limit) {
    this.limit = limit;
  }

  /** Keeps a connection; false if there are enough. */
  synchronized boolean keep(WorkerConnection connection) {
    if (closed || idle.size() >= limit) {
      return false;
    }
    idle.addFirst(connection);
    return true;
  }

  /** Removes and returns a connection; null if there is none. */
  synchronized @Nullable WorkerConnection poll() {
    return idle.pollFirst();
  }

  /** Removes this connection; false if a shipment uses it again. */
  synchronized boolean remove(WorkerConnection connection) {
    return idle.remove(connection);
  }

  /** Closes all connections, and keeps none from now on. */
  void close() {
    List<WorkerConnection> left;
    synchronized (this) {
      closed = true;
      left = new ArrayList<>(idle);
      idle.clear();
    }
    left.forEach(connection -> Channels.close(connection.channel()));
  }
}
