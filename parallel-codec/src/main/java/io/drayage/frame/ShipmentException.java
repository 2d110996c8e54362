package io.drayage.frame;

import java.io.IOException;
import java.io.Serial;

/** A shipment ended without a commit, on this side or on the peer's. Names what was wrong. */
public final class ShipmentException extends IOException {
  @Serial private static final long serialVersionUID = 1;

  private final Fault fault;

  /**
   * A fault that nothing else caused.
   *
   * @param message names what was wrong, with its values and limits
   */
  public ShipmentException(Fault fault, String message) {
    super(message);
    this.fault = fault;
  }

  /**
   * A fault with its cause, which does not travel to the peer.
   *
   * @param message names what was wrong, with its values and limits
   */
  public ShipmentException(Fault fault, String message, Throwable cause) {
    super(message, cause);
    this.fault = fault;
  }

  /** The kind of fault, which tells whether a retry may succeed. */
  public Fault fault() {
    return fault;
  }

  /** {@code cause} itself if it is one, else wrapped as {@link Fault#INTERNAL}. */
  public static ShipmentException of(Throwable cause) {
    return cause instanceof ShipmentException shipmentException
        ? shipmentException
        : new ShipmentException(Fault.INTERNAL, cause.toString(), cause);
  }
}
