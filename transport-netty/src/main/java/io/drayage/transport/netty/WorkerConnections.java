package io.drayage.transport.netty;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * The connections of one shipment, on the worker's side. The first one leads: it sends the request
 * and gets the answers. The others carry frames once the transactor has renewed credit of the
 * first, since they must not overtake the first frame. Thread-safe.
 */
final class WorkerConnections {
  private final List<WorkerConnection> leadingFirst = new CopyOnWriteArrayList<>();
  private volatile boolean firstFrameHandled;

  void add(WorkerConnection connection) {
    leadingFirst.add(connection);
  }

  boolean remove(WorkerConnection connection) {
    return leadingFirst.remove(connection);
  }

  void forEach(Consumer<WorkerConnection> action) {
    leadingFirst.forEach(action);
  }

  private WorkerConnection leader() {
    return leadingFirst.get(0);
  }

  /** Checks by identity whether this connection leads. */
  @SuppressWarnings("ReferenceEquality")
  boolean isLeader(WorkerConnection connection) {
    return leader() == connection;
  }

  /** Checks whether frames may go over this connection now. */
  boolean mayCarry(WorkerConnection connection) {
    return firstFrameHandled || isLeader(connection);
  }

  WorkerConnection leastLoaded() {
    WorkerConnection best = leader();
    if (!firstFrameHandled) {
      return best;
    }
    long leastBytes = best.outbound().loadBytes();
    for (WorkerConnection connection : leadingFirst) {
      long bytes = connection.outbound().loadBytes();
      if (bytes < leastBytes && connection.isAnswered()) {
        best = connection;
        leastBytes = bytes;
      }
    }
    return best;
  }

  /** Notes the first renewal of this connection's credit. */
  void onFirstCredit(WorkerConnection connection) {
    if (isLeader(connection)) {
      firstFrameHandled = true;
      wakeUpIdle();
    }
  }

  /** Wakes idle connections, since there may be a new producer. Thread-safe. */
  void wakeUpIdle() {
    forEach(connection -> connection.outbound().wakeUpIfIdle());
  }
}
