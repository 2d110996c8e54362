package io.drayage.transport.netty;

import io.drayage.transport.netty.connection.Channels;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The connections of a client whose shipments were committed, for the next ones. Bounded in number.
 * Each is in it or used by a shipment, never both. Thread-safe.
 */
final class KeptConnections {
  private final int limit;

  /** The one that was used last first: those that are not needed grow old. */
  private final Deque<WorkerConnection> idle = new ArrayDeque<>();

  private boolean closed;

  KeptConnections(int limit) {
    this.limit = limit;
  }

  /** Keeps it, unless there are enough; whether it does. */
  synchronized boolean keep(WorkerConnection connection) {
    if (closed || idle.size() >= limit) {
      return false;
    }
    idle.addFirst(connection);
    return true;
  }

  /** One that is the caller's now; null if there is none. */
  synchronized @Nullable WorkerConnection poll() {
    return idle.pollFirst();
  }

  /** Keeps it no longer; false if it is in use again. */
  synchronized boolean remove(WorkerConnection connection) {
    return idle.remove(connection);
  }

  /** Closes those that are kept, and keeps none from now on. */
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
