package io.drayage.transport.netty;

import static io.drayage.internal.Texts.format;

import io.drayage.frame.Credit;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.memory.Lease;
import io.drayage.transport.netty.CreditQuota.Reservation;
import java.nio.ByteBuffer;
import java.util.function.LongConsumer;

/**
 * The credit of one connection on the transactor's side: what the sender may have in flight or
 * undecoded. Its bytes are part of the {@link Reservation} of the shipment.
 *
 * <p>Thread-safe: the event loop acquires, codec threads release.
 */
final class CreditWindow {
  /** Credit is renewed in portions, so that not every small frame costs an answer. */
  private static final int RENEWALS_PER_WINDOW = 8;

  private final long windowBytes;
  private final Reservation reservation;

  /** What the sender may still send, as far as it knows. */
  private long grantedBytes;

  /** The frame that is being read. */
  private long arrivingBytes;

  /** Bytes of frames that have come and are not decoded yet. */
  private long undecodedBytes;

  /** Bytes that are decoded and not granted again yet. */
  private long renewableBytes;

  /** The seal came: the sender needs no more. */
  private boolean sealed;

  private boolean closed;
  private boolean released;

  /** A window, which owns the reservation until it is closed and everything is decoded. */
  CreditWindow(long windowBytes, Reservation reservation) {
    this.windowBytes = windowBytes;
    this.reservation = reservation;
    this.grantedBytes = windowBytes;
    reservation.retain();
  }

  /**
   * A frame is about to arrive.
   *
   * @throws ShipmentException {@code CREDIT_OVERRUN} if the sender was not granted that much
   */
  synchronized void acquire(int frameBytes) throws ShipmentException {
    int charge = Credit.charge(frameBytes);
    if (charge > grantedBytes) {
      throw new ShipmentException(
          Fault.CREDIT_OVERRUN,
          format("a frame of %,d bytes exceeds the remaining credit of %,d", charge, grantedBytes));
    }
    grantedBytes -= charge;
    arrivingBytes = charge;
  }

  /** The frame that was {@link #acquire acquired} is complete, and will be released. */
  synchronized void arrived() {
    undecodedBytes += arrivingBytes;
    arrivingBytes = 0;
  }

  /**
   * The frame that was {@link #acquire acquired} is complete.
   *
   * @param recycle run when the lease is released
   * @param grant is told then how much to grant the sender, if anything
   */
  Lease lease(ByteBuffer frame, Runnable recycle, LongConsumer grant) {
    arrived();
    int frameBytes = frame.remaining();
    return new Lease(
        frame,
        () -> {
          recycle.run();
          long bytes = release(frameBytes);
          if (bytes > 0) {
            grant.accept(bytes);
          }
        });
  }

  /**
   * A frame has been decoded, or dropped.
   *
   * @return the bytes to grant the sender now, mostly 0
   */
  synchronized long release(int frameBytes) {
    int charge = Credit.charge(frameBytes);
    undecodedBytes -= charge;
    renewableBytes += charge;
    if (closed) {
      releaseIfDone();
      return 0;
    }
    if (sealed) {
      return 0;
    }
    if (renewableBytes < windowBytes / RENEWALS_PER_WINDOW && undecodedBytes > 0) {
      return 0;
    }
    long renewed = renewableBytes;
    grantedBytes += renewed;
    renewableBytes = 0;
    return renewed;
  }

  /** The seal came, behind which nothing is sent over this connection: grants no more. */
  synchronized void seal() {
    sealed = true;
  }

  /** Whether frames are here that are not decoded, so that the sender may be waiting for credit. */
  synchronized boolean hasUndecoded() {
    return undecodedBytes > 0;
  }

  /**
   * No further frame will be acquired: the reservation is released as soon as nothing is undecoded.
   */
  synchronized void retire() {
    closed = true;
    releaseIfDone();
  }

  /**
   * As {@link #retire}, because the connection is over. A frame that was being read is not counted:
   * its buffer was freed with the connection.
   */
  synchronized void close() {
    arrivingBytes = 0;
    retire();
  }

  private void releaseIfDone() {
    if (!released && undecodedBytes == 0 && arrivingBytes == 0) {
      released = true;
      reservation.release();
    }
  }
}
