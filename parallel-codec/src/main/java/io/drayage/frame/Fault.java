package io.drayage.frame;

/**
 * The reason why a shipment ended without the answer that it was committed. {@link
 * ShipmentException#outcome} has the fate of the cargo. The numbers are frozen: they travel to the
 * peer.
 */
public enum Fault {
  /**
   * A frame's magic, version, type or length is wrong, a reserved bit is set, or the frame has an
   * unknown number. A retry is useless.
   */
  BAD_FRAME(1),
  /** A frame's checksum does not match its bytes. A retry may succeed. */
  CHECKSUM(2),
  /** A quantity of the peer is outside its limits. A retry is useless. */
  LIMIT(3),
  /** The manifest contradicts itself, or the frames contradict the manifest. */
  MANIFEST(4),
  /** A segment is missing when the cargo is sealed. */
  SEGMENT_MISSING(5),
  /** A segment came twice. */
  SEGMENT_REPEATED(6),
  /** A frame or segment belongs to no shipment here, or is not allowed at this moment. */
  PROTOCOL_VIOLATION(7),
  /** The bytes of a segment or stream cannot be decoded. */
  DECODE(8),
  /** The seal's digest does not match the frames that arrived. A retry may succeed. */
  DIGEST(9),
  /** The peer sent more bytes than the receiver had granted. */
  CREDIT_OVERRUN(10),
  /** The peer sent nothing for longer than the idle timeout. A retry may succeed. */
  PEER_SILENT(11),
  /** The connection to the peer is gone. A retry may succeed. */
  PEER_GONE(12),
  /**
   * The peer or the caller on this side cancelled the shipment, or is shutting down. A retry may
   * succeed.
   */
  CANCELLED(13),
  /** The transactor does not accept the shipment, or cannot keep it. The message has the reason. */
  REFUSED(14),
  /** The cargo arrived, but it cannot be committed: wrong base, row, table, column or type. */
  REJECTED(15),
  /** An error on the side that reports it. The log of that side has the stack. */
  INTERNAL(16),
  /** The shipment to be resumed is unknown here, or has expired. Send the whole cargo again. */
  EXPIRED(17),
  /**
   * Another transaction has changed the same cells or rows since the base snapshot of the cargo, or
   * the base snapshot is too old to find out. Make the cargo again on a newer snapshot.
   */
  CONFLICT(18),
  /** There is no room for the shipment now, or the store cannot be written. A retry may succeed. */
  BUSY(19),
  /**
   * The database has no room for the data that the cargo would add, or for the copies of the data
   * that it would rewrite. Nothing was applied. A retry is useless.
   */
  FULL(20);

  private final int id;

  Fault(int id) {
    this.id = id;
  }

  /** The frozen number on the wire. */
  public int id() {
    return id;
  }

  /** Whether a retry with the same cargo may succeed. */
  public boolean isTransient() {
    return switch (this) {
      case CHECKSUM, DIGEST, PEER_SILENT, PEER_GONE, CANCELLED, EXPIRED, BUSY -> true;
      default -> false;
    };
  }

  /** Whether the connection was lost, or seems to be. */
  public boolean isConnectionLoss() {
    return this == PEER_SILENT || this == PEER_GONE;
  }

  /**
   * Whether the fault is a judgement of the committer about the cargo. The committer makes it only
   * if no shipment of the transaction has taken effect. So it settles the {@linkplain
   * ShipmentException.Outcome#UNKNOWN unknown} outcome of earlier shipments.
   */
  public boolean isVerdict() {
    return this == REJECTED || this == CONFLICT || this == FULL;
  }

  /** The fault with this number; {@link #INTERNAL} if this version does not know the number. */
  static Fault ofId(int id) {
    for (Fault fault : values()) {
      if (fault.id == id) {
        return fault;
      }
    }
    return INTERNAL;
  }
}
