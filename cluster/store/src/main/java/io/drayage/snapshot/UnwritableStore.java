package io.drayage.snapshot;

import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.objectstore.WriteFailure;
import java.io.IOException;

/** The answers to workers whose cargoes cannot be stored. */
public final class UnwritableStore {
  private UnwritableStore() {}

  /**
   * Returns the answer after a failed write: {@link Fault#BUSY} if the failure {@linkplain
   * WriteFailure#mayPass may pass}, so that the worker waits.
   *
   * @param otherwise the fault if the failure may not pass
   * @param what the operation that failed
   */
  public static ShipmentException told(Fault otherwise, String what, Throwable failure) {
    return WriteFailure.of(failure).mayPass()
        ? new ShipmentException(Fault.BUSY, message(String.valueOf(failure.getMessage())), failure)
        : new ShipmentException(otherwise, what + ": " + failure.getMessage(), failure);
  }

  /**
   * Returns the answer after a failed write of a record that may exist all the same: that of {@link
   * #told}, or the store's own answer to workers.
   */
  public static ShipmentException ofRecord(String what, IOException failure) {
    return failure instanceof ShipmentException named
        ? named
        : told(Fault.CANCELLED, what, failure).withOutcome(ShipmentException.Outcome.UNKNOWN);
  }

  /** Returns the message about a store that cannot be written for now. */
  public static String message(String reason) {
    return "the store cannot be written: " + reason;
  }
}
