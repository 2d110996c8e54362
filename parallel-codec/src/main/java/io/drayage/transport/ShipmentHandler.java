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
 * Gets the frames of one shipment on the transactor's side. Called by one thread at a time, mostly
 * an event loop: no method may block.
 */
public interface ShipmentHandler {
  /**
   * A frame has arrived. Its header is checked, its checksum is not. Ownership passes to the
   * handler; closing the lease also renews the sender's credit for its bytes, so it is closed when
   * the frame has been decoded, not before.
   *
   * <p>Over several connections frames come in any order, but the first one sent comes first. The
   * seal may come before the last segments. In a shipment that was resumed, a seal may come again,
   * and so may a frame that was not {@link #settled} as received.
   */
  void onFrame(Lease frame);

  /**
   * Whether a segment is to be decoded where it was read, by {@link #onSegment}, which then costs
   * less than handing it over. May be asked on any thread.
   *
   * @param segment its frame; only read
   */
  default boolean decodesHere(ByteBuffer segment) {
    return false;
  }

  /**
   * As {@link #onFrame}, for a segment, once {@link #decodesHere}: it is decoded when this returns.
   * Unlike the other methods this may be called by several threads at a time.
   */
  default void onSegment(Lease frame) {
    onFrame(frame);
  }

  /** Why a frame is refused that came when the whole cargo was received: its commit goes on. */
  static ShipmentException behindTheCargo(FrameType type) {
    return new ShipmentException(
            Fault.PROTOCOL_VIOLATION,
            "a %s frame came when the whole cargo was held already; its commit goes on: send the transaction again to learn of it"
                .formatted(type))
        .withOutcome(ShipmentException.Outcome.UNKNOWN);
  }

  /**
   * The shipment is over and no frame will follow: the peer is gone or silent, has cancelled it, or
   * sent something that is no frame. For a {@link #isResumable resumable} shipment whose
   * connections are lost, it is called when nobody has resumed it in time. Not called after {@link
   * ShipmentReplies#committed} or {@link ShipmentReplies#failed}.
   *
   * @return whether the cargo takes no effect; false if it is whole, so that a commit of it goes on
   */
  boolean onAborted(ShipmentException cause);

  /**
   * Whether the shipment may outlive its connections: frames may come over several of them, and
   * after a loss the rest comes later. Asked once, when the shipment has been accepted.
   */
  default boolean isResumable() {
    return false;
  }

  /** What the store does with the shipment's bytes. Asked once, when it has been accepted. */
  default StoreShare store() {
    return StoreShare.UNKNOWN;
  }

  /**
   * Completes, on any thread, with the numbers of the segments that were received, as soon as no
   * frame that came before this call is undecoded. Called when a worker resumes the shipment,
   * perhaps again before an earlier call completed; until it completes and all leases of earlier
   * frames are released, no frame comes. If it fails, so does the shipment.
   */
  default CompletableFuture<BitSet> settled() {
    return CompletableFuture.failedFuture(
        new ShipmentException(Fault.REFUSED, "the shipment cannot be resumed"));
  }
}
