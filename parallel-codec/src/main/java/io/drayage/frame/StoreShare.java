package io.drayage.frame;

import static io.drayage.internal.Texts.format;

import java.nio.ByteBuffer;

/**
 * Rates of a transactor's object store for the bytes of one shipment, as far as the transactor has
 * measured them: part of {@link Accepted}.
 *
 * @param writeBytesPerSecond the shipment's share of the store's write rate; {@link #UNMEASURED} if
 *     that is unknown
 * @param readBytesPerSecond the rate at which a node loads from the store; {@link #UNMEASURED} if
 *     that is unknown
 * @param loads number of nodes that will load the cargo from the store
 */
public record StoreShare(long writeBytesPerSecond, long readBytesPerSecond, int loads) {
  /** A rate that nobody has measured. */
  public static final long UNMEASURED = 0;

  /** The share of a cargo that is not stored, or whose store is not known yet. */
  public static final StoreShare UNKNOWN = new StoreShare(UNMEASURED, UNMEASURED, 0);

  static final int BYTES = 2 * Long.BYTES + Integer.BYTES;

  /**
   * @throws IllegalArgumentException if a number is negative
   */
  public StoreShare {
    if (writeBytesPerSecond < 0 || readBytesPerSecond < 0 || loads < 0) {
      throw new IllegalArgumentException(
          text(writeBytesPerSecond, readBytesPerSecond, loads) + ": none may be negative");
    }
  }

  /**
   * The rate of a link with the store behind it, in bytes per second. Both carry a shipment at the
   * same time, so the slower one counts. The time to load the stored cargo is added.
   *
   * @param linkBytesPerSecond the rate of the link
   */
  public long behind(long linkBytesPerSecond) {
    long stored =
        writeBytesPerSecond == UNMEASURED
            ? linkBytesPerSecond
            : Math.min(linkBytesPerSecond, writeBytesPerSecond);
    return loads == 0 || readBytesPerSecond == UNMEASURED
        ? stored
        : Math.max(1, (long) (1 / (1.0 / stored + loads / (double) readBytesPerSecond)));
  }

  void write(ByteBuffer payload) {
    payload.putLong(writeBytesPerSecond).putLong(readBytesPerSecond).putInt(loads);
  }

  /**
   * @throws ShipmentException {@link Fault#LIMIT} for a negative number
   */
  static StoreShare read(ByteBuffer payload) throws ShipmentException {
    long write = payload.getLong();
    long read = payload.getLong();
    int loads = payload.getInt();
    if (write < 0 || read < 0 || loads < 0) {
      throw new ShipmentException(Fault.LIMIT, "the transactor states " + text(write, read, loads));
    }
    return new StoreShare(write, read, loads);
  }

  private static String text(long write, long read, int loads) {
    return format(
        "a store that writes %,d bytes a second and reads %,d, and %,d nodes that load",
        write, read, loads);
  }
}
