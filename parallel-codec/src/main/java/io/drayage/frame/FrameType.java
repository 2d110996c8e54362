package io.drayage.frame;

import static io.drayage.internal.Texts.format;

/** The type of a frame. The numbers are frozen. */
public enum FrameType {
  /** Worker: asks to ship a cargo; {@link ShipmentHeader}. */
  OPEN(1),
  /** Worker: the manifest of the cargo, before its first segment. */
  MANIFEST(2),
  /** Worker: a segment, or a run of small ones. */
  SEGMENT(3),
  /** Worker: a part of the stream pipeline's byte stream. */
  CHUNK(4),
  /** Worker: the cargo is complete; {@link Seal}. */
  SEAL(5),
  /** Worker: the shipment is cancelled; {@link Failure}. */
  CANCEL(6),
  /** Worker: a further connection of a shipment; {@link Join}. */
  JOIN(7),
  /** Coordinator: begins a transaction of several workers; {@link TransactionRequest.Begin}. */
  BEGIN(8),
  /** Coordinator: renews the transaction's lease; {@link TransactionRequest.Renew}. */
  RENEW(9),
  /** Coordinator: commits the transaction's fragments; {@link TransactionRequest.Commit}. */
  COMMIT(10),
  /** Coordinator: ends the transaction without effect; {@link TransactionRequest.Abort}. */
  ABORT(11),
  /** Transactor: the shipment may begin; {@link Accepted}. */
  ACCEPT(17),
  /** Transactor: the worker may send more bytes; the number of bytes. */
  CREDIT(18),
  /** Transactor: the whole cargo is here, decoded and verified; {@link Seal}. */
  HELD(19),
  /**
   * Transactor: the cargo took effect; the new snapshot's timestamp, or {@link
   * ControlFrame#PREPARED}.
   */
  COMMITTED(20),
  /** Transactor: the shipment is over; {@link Failure}. */
  FAILED(21),
  /** Transactor: the further connection may be used; {@link Joined}. */
  JOINED(22),
  /** Transactor: the transaction is open; {@link TransactionAnswer.Opened}. */
  OPENED(23),
  /** Transactor: the transaction's lease is renewed; {@link TransactionAnswer.Renewed}. */
  RENEWED(24),
  /** Transactor: the transaction has ended without effect. No payload. */
  ABORTED(25),
  /** Either: the sender is alive. No payload. */
  HEARTBEAT(32);

  private static final FrameType[] BY_ID = new FrameType[33];

  static {
    for (FrameType type : values()) {
      BY_ID[type.id] = type;
    }
  }

  private final int id;

  FrameType(int id) {
    this.id = id;
  }

  /** The frozen number on the wire. */
  public int id() {
    return id;
  }

  /** Whether a frame of this type is charged to the sender's credit. */
  public boolean needsCredit() {
    return this == MANIFEST || this == SEGMENT || this == CHUNK || this == SEAL;
  }

  /** Whether a frame of this type is a {@link TransactionRequest}. */
  public boolean isRequest() {
    return this == BEGIN || this == RENEW || this == COMMIT || this == ABORT;
  }

  /** The most payload bytes of a frame of this type. */
  public int maxPayloadBytes() {
    return switch (this) {
      case MANIFEST, SEGMENT, CHUNK -> FrameHeader.MAX_PAYLOAD_BYTES;
      case JOINED -> Joined.MAX_PAYLOAD_BYTES;
      case COMMIT -> TransactionRequest.MAX_COMMIT_BYTES;
      default -> FrameHeader.MAX_CONTROL_PAYLOAD_BYTES;
    };
  }

  /**
   * The type with this wire number.
   *
   * @throws ShipmentException {@link Fault#BAD_FRAME} if there is none
   */
  static FrameType ofId(int id) throws ShipmentException {
    FrameType type = id >= 0 && id < BY_ID.length ? BY_ID[id] : null;
    if (type == null) {
      throw new ShipmentException(Fault.BAD_FRAME, format("frame type %d is unknown", id));
    }
    return type;
  }
}
