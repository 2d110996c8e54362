package io.drayage.baseline.grpc;

import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.grpc.Status;

/** What a call's status means for a shipment. */
final class Statuses {
  private Statuses() {}

  /** The exception for a call that ended without an answer in a frame. */
  static ShipmentException asShipmentException(Throwable cause, String doing) {
    Status status = Status.fromThrowable(cause);
    Fault fault =
        switch (status.getCode()) {
          case UNAVAILABLE, CANCELLED -> Fault.PEER_GONE;
          case DEADLINE_EXCEEDED -> Fault.PEER_SILENT;
          case RESOURCE_EXHAUSTED -> Fault.LIMIT;
          default -> Fault.INTERNAL;
        };
    Throwable root = status.getCause();
    return new ShipmentException(
        fault,
        "%s: %s, %s%s"
            .formatted(
                doing,
                status.getCode(),
                status.getDescription(),
                root == null ? "" : " (%s)".formatted(root.getMessage())),
        cause);
  }
}
