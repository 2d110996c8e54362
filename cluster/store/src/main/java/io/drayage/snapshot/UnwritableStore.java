package io.drayage.snapshot;

import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.objectstore.WriteFailure;
import java.io.IOException;

/** The answers to workers whose cargoes cannot be stored. */
public final class UnwritableStore {
  private UnwritableStore() {}

  /**
   * The answer if a write has failed: {@link Fault#BUSY} if that {@linkplain WriteFailure#mayPass
   * may pass}, so that the worker waits.
   *
   * @param otherwise the fault if it may not
   * @param what could not be done, for that
   */
  public static ShipmentException told(Fault otherwise, String what, Throwable failure) {
    return WriteFailure.of(failure).mayPass()
        ? new ShipmentException(Fault.BUSY, message(String.valueOf(failure.getMessage())), failure)
        : new ShipmentException(otherwise, what + ": " + failure.getMessage(), failure);
  }

  /**
   * The answer if a record could not be written, of which nobody knows whether it is there: as
   * {@link #told}, or what the store itself answers workers.
   */
  public static ShipmentException ofRecord(String what, IOException failure) {
    return failure instanceof ShipmentException named
        ? named
        : told(Fault.CANCELLED, what, failure).withOutcome(ShipmentException.Outcome.UNKNOWN);
  }

  /** The message about a store that cannot be written for now. */
  public static String message(String reason) {
    return "the store cannot be written: " + reason;
  }
}
