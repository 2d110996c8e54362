package io.drayage.frame;

import java.io.IOException;
import java.io.Serial;

/**
 * A shipment ended without the answer that it was committed, on this side or on the peer's. Has the
 * fault and the fate of the cargo.
 */
public final class ShipmentException extends IOException implements MessageForUsers {
  /**
   * The fate of the cargo of a shipment that was not answered with a commit. The outcome is about
   * this shipment alone. Only sending the transaction again shows whether an earlier shipment of
   * the same transaction took effect.
   */
  public enum Outcome {
    /** The cargo has had no effect, and will have none. */
    NOT_APPLIED,
    /**
     * The answer is lost: the whole cargo may have taken effect, may still do so, or not. To find
     * out, send the same transaction again, with the same id.
     */
    UNKNOWN
  }

  @Serial private static final long serialVersionUID = 2;

  /** Preallocated for the case that there is no memory to make another one. */
  @SuppressWarnings("StaticAssignmentOfThrowable") // Its stack means nothing.
  private static final ShipmentException NO_MEMORY =
      new ShipmentException(
          Fault.INTERNAL,
          "java.lang.OutOfMemoryError, without memory for the details",
          new OutOfMemoryError("of a ShipmentException"));

  @SuppressWarnings("StaticAssignmentOfThrowable") // Preallocated, like the one above.
  private static final ShipmentException NO_MEMORY_UNKNOWN =
      new ShipmentException(NO_MEMORY, Outcome.UNKNOWN, false);

  private final Fault fault;
  private final Outcome outcome;
  private final boolean statedByPeer;

  /**
   * A fault without a cause, of a shipment whose cargo was {@linkplain Outcome#NOT_APPLIED not
   * applied}.
   *
   * @param message names the defect, with its values and limits
   */
  public ShipmentException(Fault fault, String message) {
    super(message);
    this.fault = fault;
    this.outcome = Outcome.NOT_APPLIED;
    this.statedByPeer = false;
  }

  /**
   * A fault of a shipment whose cargo was {@linkplain Outcome#NOT_APPLIED not applied}, with its
   * cause, which does not travel to the peer.
   *
   * @param message names the defect, with its values and limits
   */
  public ShipmentException(Fault fault, String message, Throwable cause) {
    super(message, cause);
    this.fault = fault;
    this.outcome = Outcome.NOT_APPLIED;
    this.statedByPeer = false;
  }

  private ShipmentException(ShipmentException from, Outcome outcome, boolean statedByPeer) {
    super(from.getMessage(), from);
    this.fault = from.fault;
    this.outcome = outcome;
    this.statedByPeer = statedByPeer;
  }

  /** The kind of fault, which shows whether a retry may succeed. */
  public Fault fault() {
    return fault;
  }

  /** The fate of the cargo. */
  public Outcome outcome() {
    return outcome;
  }

  /** Whether the peer has stated fault and outcome. Otherwise this end has found the fault. */
  public boolean isStatedByPeer() {
    return statedByPeer;
  }

  /**
   * Returns this fault with another outcome, caused by this exception. If there is hardly any
   * memory, the message is a general one.
   */
  public ShipmentException withOutcome(Outcome other) {
    if (outcome == other) {
      return this;
    }
    try {
      return new ShipmentException(this, other, statedByPeer);
    } catch (OutOfMemoryError e) {
      return other == Outcome.UNKNOWN ? NO_MEMORY_UNKNOWN : NO_MEMORY;
    }
  }

  /**
   * Returns this failure of the last attempt with the outcome of all attempts.
   *
   * @param isUncertain whether an earlier attempt may have taken effect
   */
  public ShipmentException ofAllAttempts(boolean isUncertain) {
    return isUncertain && !fault.isVerdict() ? withOutcome(Outcome.UNKNOWN) : this;
  }

  /** Returns a copy as the answer of the peer, whose outcome counts, whatever was sent. */
  public ShipmentException statedByPeer() {
    return statedByPeer ? this : new ShipmentException(this, outcome, true);
  }

  /** Returns this fault with the stack of the caller, caused by this exception. */
  public ShipmentException again() {
    return new ShipmentException(this, outcome, statedByPeer);
  }

  /**
   * A failure caused by {@code cause}. If there is hardly any memory, the message is a general one.
   */
  public static ShipmentException of(Fault fault, String what, Throwable cause) {
    try {
      return new ShipmentException(fault, what + ": " + text(cause), cause);
    } catch (OutOfMemoryError e) {
      return NO_MEMORY;
    }
  }

  /** Returns {@code cause} if it is a {@code ShipmentException}, else {@link Fault#INTERNAL}. */
  public static ShipmentException of(Throwable cause) {
    return cause instanceof ShipmentException shipmentException
        ? shipmentException
        : of(Fault.INTERNAL, cause);
  }

  private static ShipmentException of(Fault fault, Throwable cause) {
    try {
      return new ShipmentException(fault, text(cause), cause);
    } catch (OutOfMemoryError e) {
      return NO_MEMORY;
    }
  }

  /** The message of any exception, even if its methods throw. */
  private static String text(Throwable cause) {
    try {
      return cause.toString();
    } catch (RuntimeException e) {
      return cause.getClass().getName();
    }
  }
}
