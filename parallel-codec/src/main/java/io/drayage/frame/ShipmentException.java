package io.drayage.frame;

import java.io.IOException;
import java.io.Serial;

/** A shipment ended without a commit, on this side or on the peer's. Names what was wrong. */
public final class ShipmentException extends IOException {
  @Serial private static final long serialVersionUID = 1;

  private final Fault fault;

  public ShipmentException(Fault fault, String message) {
    super(message);
    this.fault = fault;
  }

  public ShipmentException(Fault fault, String message, Throwable cause) {
    super(message, cause);
    this.fault = fault;
  }

  /** The kind of fault, which tells whether a retry may succeed. */
  public Fault fault() {
    return fault;
  }

  /** For want of memory to say more; made when there was some. */
  @SuppressWarnings("StaticAssignmentOfThrowable") // Its stack says nothing, but it is there.
  private static final ShipmentException NO_MEMORY =
      new ShipmentException(
          Fault.INTERNAL, "java.lang.OutOfMemoryError, and none left to say where");

  /**
   * A failure of which {@code cause} is the reason. Also if there is hardly any memory: then the
   * message is a general one.
   */
  public static ShipmentException of(Fault fault, String what, Throwable cause) {
    try {
      return new ShipmentException(fault, what + ": " + cause, cause);
    } catch (OutOfMemoryError e) {
      return NO_MEMORY;
    }
  }

  /** {@code cause} itself if it is one, else wrapped as {@link Fault#INTERNAL}. */
  public static ShipmentException of(Throwable cause) {
    return cause instanceof ShipmentException shipmentException
        ? shipmentException
        : of(Fault.INTERNAL, cause);
  }

  private static ShipmentException of(Fault fault, Throwable cause) {
    try {
      return new ShipmentException(fault, cause.toString(), cause);
    } catch (OutOfMemoryError e) {
      return NO_MEMORY;
    }
  }
}
