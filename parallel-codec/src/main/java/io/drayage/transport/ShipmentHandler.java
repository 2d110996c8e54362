package io.drayage.transport;

import io.drayage.frame.Fault;
import io.drayage.frame.FrameType;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.StoreShare;
import io.drayage.memory.Lease;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.concurrent.CompletableFuture;

/**
 * Receives the frames of one shipment on the transactor's side. Called by one thread at a time,
 * mostly an event loop: no method may block.
 */
public interface ShipmentHandler {
  /**
   * Receives a frame. Its header is checked, its checksum is not. The handler owns the lease.
   * Closing the lease also renews the sender's credit for the bytes, so close it only after the
   * frame has been decoded.
   *
   * <p>Over several connections, frames arrive in any order, but the first frame that was sent
   * arrives first. The seal may arrive before the last segments. In a resumed shipment, the seal
   * may arrive again, and so may any frame that {@link #settled} did not state as received.
   */
  void onFrame(Lease frame);

  /**
   * Whether to decode a segment on the thread that read it, by {@link #onSegment}. This costs less
   * than to pass the segment to another thread. May be called on any thread.
   *
   * @param segment the frame of the segment; only read
   */
  default boolean decodesHere(ByteBuffer segment) {
    return false;
  }

  /**
   * Receives a segment for which {@link #decodesHere} is true; the segment is decoded when this
   * returns. Unlike the other methods, this one may be called by several threads at a time.
   */
  default void onSegment(Lease frame) {
    onFrame(frame);
  }

  /** Returns the refusal of a frame that arrives after the whole cargo; its commit continues. */
  static ShipmentException behindTheCargo(FrameType type) {
    return new ShipmentException(
            Fault.PROTOCOL_VIOLATION,
            "a %s frame arrived after the whole cargo; the commit goes on: send the transaction again for its outcome"
                .formatted(type))
        .withOutcome(ShipmentException.Outcome.UNKNOWN);
  }

  /**
   * Ends the shipment; no frame will follow. The peer is gone or silent, has cancelled, or has sent
   * something that is no frame. For a {@link #isResumable resumable} shipment whose connections are
   * lost, this is called if it was not resumed in time. Not called after {@link
   * ShipmentReplies#committed} or {@link ShipmentReplies#failed}.
   *
   * @return whether the cargo takes no effect; false if the cargo is whole, so that its commit
   *     continues
   */
  boolean onAborted(ShipmentException cause);

  /**
   * Whether the shipment may outlive its connections: frames may arrive over several connections,
   * and after a loss the rest arrives later. Called once, when the shipment has been accepted.
   */
  default boolean isResumable() {
    return false;
  }

  /** The shipment's share of the store. Called once, when the shipment has been accepted. */
  default StoreShare store() {
    return StoreShare.UNKNOWN;
  }

  /**
   * Completes, on any thread, with the numbers of the received segments, as soon as all frames that
   * arrived before this call are decoded. Called when a worker resumes the shipment, perhaps again
   * before an earlier call completed. No frame arrives until this completes and all leases of
   * earlier frames are released. If this fails, so does the shipment.
   */
  default CompletableFuture<BitSet> settled() {
    return CompletableFuture.failedFuture(
        new ShipmentException(Fault.REFUSED, "the shipment cannot be resumed"));
  }
}
