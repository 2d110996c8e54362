package io.drayage.frame;

/**
 * Why a shipment ended without the answer that it was committed. It does not tell what became of
 * the cargo: {@link ShipmentException#outcome} does. The numbers are frozen: they travel to the
 * peer.
 */
public enum Fault {
  /**
   * A frame's magic, version, type or length is wrong, a reserved bit is set, or it has the number
   * of something unknown. Not worth a retry.
   */
  BAD_FRAME(1),
  /** A frame's checksum does not match its bytes. A retry may succeed. */
  CHECKSUM(2),
  /** A quantity that the peer sent is outside its limits. Not worth a retry. */
  LIMIT(3),
  /** The manifest contradicts itself, or the frames contradict the manifest. */
  MANIFEST(4),
  /** A segment is missing when the cargo is sealed. */
  SEGMENT_MISSING(5),
  /** A segment came twice. */
  SEGMENT_REPEATED(6),
  /** A frame or segment belongs to no shipment here, or to none at this moment. */
  PROTOCOL_VIOLATION(7),
  /** The bytes of a segment or stream cannot be decoded. */
  DECODE(8),
  /** The seal's digest does not match what arrived. A retry may succeed. */
  DIGEST(9),
  /** More bytes were sent than the receiver had granted. */
  CREDIT_OVERRUN(10),
  /** The peer sent nothing for longer than the idle timeout. A retry may succeed. */
  PEER_SILENT(11),
  /** The connection to the peer is gone. A retry may succeed. */
  PEER_GONE(12),
  /**
   * The peer, or the caller on this side, cancelled the shipment, or is being shut down. A retry
   * may succeed.
   */
  CANCELLED(13),
  /** The transactor does not accept the shipment, or cannot keep it; the message tells why. */
  REFUSED(14),
  /** The cargo arrived, but it cannot be committed: wrong base, row, table, column or type. */
  REJECTED(15),
  /** An error on the side that reports it, whose log has it with its stack. */
  INTERNAL(16),
  /**
   * The shipment to be resumed is not known here, or no longer. To be sent again from the start.
   */
  EXPIRED(17),
  /**
   * Somebody else has changed the same cells or rows since the snapshot on which the cargo was
   * made, or that is too old to tell. To be made anew on a newer snapshot.
   */
  CONFLICT(18),
  /** There is no room for the shipment now, or the store cannot be written. A retry may succeed. */
  BUSY(19),
  /**
   * The database has no room for what the cargo would add, or for the copies of what it would
   * rewrite. Nothing was applied. Not worth a retry.
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

  /** Whether the same cargo may fare better if it is sent again. */
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
   * Whether it is the committer's judgement of the cargo, made when no shipment of the transaction
   * had taken effect: it settles what earlier ones left {@linkplain
   * ShipmentException.Outcome#UNKNOWN unknown}.
   */
  public boolean isVerdict() {
    return this == REJECTED || this == CONFLICT || this == FULL;
  }

  /** The fault with this number; {@link #INTERNAL} for one that this version does not know. */
  static Fault ofId(int id) {
    for (Fault fault : values()) {
      if (fault.id == id) {
        return fault;
      }
    }
    return INTERNAL;
  }
}
