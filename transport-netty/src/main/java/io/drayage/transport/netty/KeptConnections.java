package io.drayage.transport.netty;

import io.drayage.transport.netty.connection.Channels;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The connections of a client whose shipments were committed, for the next ones. Bounded in number.
 * A connection is either kept here or used by a shipment. Thread-safe.
 */
final class KeptConnections {
  private final int limit;

  /** The most recently used first, so that those that are not needed expire. */
  private final Deque<WorkerConnection> idle = new ArrayDeque<>();

  private boolean closed;

  KeptConnections(int limit) {
    this.limit = limit;
  }

  /** Keeps it; false if there are enough. */
  synchronized boolean keep(WorkerConnection connection) {
    if (closed || idle.size() >= limit) {
      return false;
    }
    idle.addFirst(connection);
    return true;
  }

  /** Takes one; null if there is none. */
  synchronized @Nullable WorkerConnection poll() {
    return idle.pollFirst();
  }

  /** Forgets it; false if it is in use again. */
  synchronized boolean remove(WorkerConnection connection) {
    return idle.remove(connection);
  }

  /** Closes all, and keeps none from now on. */
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
