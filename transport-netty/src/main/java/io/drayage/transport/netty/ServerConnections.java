package io.drayage.transport.netty;

import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one shipment: those that carry frames, the first of which gets the answers,
 * and the one that waits to resume the shipment. On the home loop of the shipment. A connection is
 * equal only to itself.
 */
final class ServerConnections {
  private final List<ServerConnection> carrying = new ArrayList<>();
  private @Nullable ServerConnection resuming;

  void add(ServerConnection connection) {
    carrying.add(connection);
  }

  int count() {
    return carrying.size();
  }

  /** Whether frames of this connection belong to the shipment. */
  boolean carries(ServerConnection connection) {
    return carrying.contains(connection);
  }

  boolean has(ServerConnection connection) {
    return isResuming(connection) || carries(connection);
  }

  boolean isResuming(ServerConnection connection) {
    return connection.equals(resuming);
  }

  /** Drops all others: this one waits to resume the shipment. */
  void resumeOver(ServerConnection connection) {
    if (resuming != null) {
      resuming.drop();
    }
    drop();
    resuming = connection;
  }

  /** No connection waits any more. */
  void endResuming() {
    resuming = null;
  }

  /** Forgets a connection; whether it was one of them. */
  boolean remove(ServerConnection connection) {
    if (isResuming(connection)) {
      resuming = null;
      return true;
    }
    return carrying.remove(connection);
  }

  /** Drops those that carry frames. */
  void drop() {
    carrying.forEach(ServerConnection::drop);
    carrying.clear();
  }

  void tellFirst(ByteBuffer answer) {
    if (!carrying.isEmpty()) {
      carrying.get(0).tell(answer);
    }
  }

  boolean haveUndecoded() {
    return carrying.stream().anyMatch(ServerConnection::hasUndecoded);
  }

  /** The shipment was committed. */
  void finish(long shipmentId) {
    carrying.forEach(ServerConnection::finish);
    if (resuming != null) {
      resuming.answerForEnded(shipmentId);
    }
    clear();
  }

  /** Tells every connection why the shipment failed: the worker may read any of them first. */
  void endWith(ShipmentException cause) {
    carrying.forEach(connection -> connection.endWith(cause));
    if (resuming != null) {
      resuming.endWith(cause);
    }
    clear();
  }

  void clear() {
    carrying.clear();
    resuming = null;
  }
}
