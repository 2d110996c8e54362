package io.drayage.transport.netty;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * The connections of one shipment, on the worker's side. The first one leads: it asks, and gets the
 * answers. The others are used from the moment on at which the transactor has renewed credit of the
 * first, for then it has handled the first frame, which the others must not overtake. Thread-safe.
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

  /** Compared by identity. */
  @SuppressWarnings("ReferenceEquality")
  boolean isLeader(WorkerConnection connection) {
    return leader() == connection;
  }

  /** Whether frames may go over it by now. */
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

  /** Its credit was renewed for the first time. */
  void onFirstCredit(WorkerConnection connection) {
    if (isLeader(connection)) {
      firstFrameHandled = true;
      wakeUpIdle();
    }
  }

  /** There may be somebody to make frames. On any thread. */
  void wakeUpIdle() {
    forEach(connection -> connection.outbound().wakeUpIfIdle());
  }
}
