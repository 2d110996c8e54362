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
 * The credit of one connection on the transactor's side: the bytes that the sender may have in
 * flight or undecoded. These bytes are part of the {@link Reservation} of the shipment.
 *
 * <p>Thread-safe: the event loop acquires, and codec threads release.
 */
final class CreditWindow {
  /** Renewals of a full window: credit is renewed in portions, not for every small frame. */
  private static final int RENEWALS_PER_WINDOW = 8;

  private final long windowBytes;
  private final Reservation reservation;

  /** Bytes that the sender may still send, by the credit that was granted. */
  private long grantedBytes;

  /** Bytes of the frame that is being read. */
  private long arrivingBytes;

  /** Bytes of frames that have arrived and are not decoded yet. */
  private long undecodedBytes;

  /** Bytes of decoded frames that are not granted again yet. */
  private long renewableBytes;

  /** Whether the seal has arrived: the sender needs no more credit. */
  private boolean sealed;

  private boolean closed;
  private boolean released;

  /** Makes a window that owns the reservation until it is closed and all frames are decoded. */
  CreditWindow(long windowBytes, Reservation reservation) {
    this.windowBytes = windowBytes;
    this.reservation = reservation;
    this.grantedBytes = windowBytes;
    reservation.retain();
  }

  /**
   * Charges a frame that is about to arrive.
   *
   * @throws ShipmentException {@code CREDIT_OVERRUN} if the frame exceeds the remaining credit
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

  /** Counts the {@linkplain #acquire acquired} frame, now complete, until {@link #release}. */
  synchronized void arrived() {
    undecodedBytes += arrivingBytes;
    arrivingBytes = 0;
  }

  /**
   * Makes the lease of the {@linkplain #acquire acquired} frame, now complete.
   *
   * @param recycle called when the lease is released
   * @param grant receives, after the release, the bytes to grant to the sender, if there are any
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
   * Releases a frame that was decoded or dropped.
   *
   * @return bytes to grant to the sender now, mostly 0
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
    if (!isPortion(renewableBytes) && undecodedBytes > 0) {
      return 0;
    }
    long renewed = renewableBytes;
    grantedBytes += renewed;
    renewableBytes = 0;
    return renewed;
  }

  /** Whether so many bytes are granted at once, although other frames are undecoded. */
  boolean isPortion(long bytes) {
    return bytes >= windowBytes / RENEWALS_PER_WINDOW;
  }

  /** Checks whether the seal has arrived: the sender needs no more credit. */
  synchronized boolean isSealed() {
    return sealed;
  }

  /** Stops granting credit, because no frame follows the seal on this connection. */
  synchronized void seal() {
    sealed = true;
  }

  /** Checks whether frames are undecoded, so that the sender may be waiting for credit. */
  synchronized boolean hasUndecoded() {
    return undecodedBytes > 0;
  }

  /** Refuses further frames, and releases the reservation as soon as every frame is decoded. */
  synchronized void retire() {
    closed = true;
    releaseIfDone();
  }

  /**
   * Does the same as {@link #retire}, because the connection is closed. A half-read frame does not
   * count: its buffer was freed with the connection.
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
