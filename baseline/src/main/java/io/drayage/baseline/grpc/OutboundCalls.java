package io.drayage.baseline.grpc;

import io.drayage.frame.ControlFrame;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.FrameType;
import io.drayage.frame.Join;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.Token;
import io.drayage.internal.ReadyActions;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The calls that ship the frames of one shipment, each over its own channel. The first call leads:
 * it ships the first frame and the seal, and gets the answer. Every other frame goes to the ready
 * call that has shipped the fewest bytes so far, because gRPC does not show how many bytes wait in
 * a call. Thread-safe.
 */
final class OutboundCalls {
  private final long shipmentId;
  private final List<HaulCalls> channels;
  private final OutboundCall leader;
  private final List<OutboundCall> all = new ArrayList<>();

  /** Actions that wait for any call to be ready. Each runs once, however many calls get ready. */
  private final ReadyActions readyOrOver = new ReadyActions();

  /** The exception that further offers throw, once the shipment is over. */
  private final AtomicReference<@Nullable ShipmentException> end = new AtomicReference<>();

  private volatile boolean begun;

  /** Whether the leading call was not ready for the seal, which is the last frame. */
  private volatile boolean sealWaits;

  /**
   * @param channels one for each call, at least one
   * @param onAnswer gets the answer of the leading call
   * @param onExtra gets the answers of the others
   */
  OutboundCalls(
      long shipmentId,
      List<HaulCalls> channels,
      Answer.Receiver onAnswer,
      Answer.Receiver onExtra,
      Consumer<ShipmentException> onFailure) {
    this.shipmentId = shipmentId;
    this.channels = channels;
    for (HaulCalls channel : channels) {
      Answer.Receiver taker = all.isEmpty() ? onAnswer : onExtra;
      all.add(new OutboundCall(channel.flavour(), taker, onFailure, readyOrOver::runAll, end));
    }
    this.leader = all.get(0);
  }

  /**
   * Starts the calls and names the shipment in each, so that the transactor can answer.
   *
   * @param token lets calls join the first one
   */
  void begin(Token token) {
    for (int c = 0; c < all.size(); c++) {
      channels.get(c).ship(all.get(c));
      all.get(c)
          .sendSmall(
              c == 0
                  ? ControlFrame.heartbeat(shipmentId)
                  : new Join(token, Join.Purpose.STRIPE).toFrame(shipmentId),
              true);
    }
  }

  /** Copies the frame into a call that is ready for it; returns false if none is. */
  boolean offer(ByteBuffer frame) throws ShipmentException {
    boolean isSeal = isSeal(frame);
    if (!begun || all.size() == 1 || isSeal) {
      return offerToLeader(frame, isSeal);
    }
    OutboundCall best = null;
    for (OutboundCall call : all) {
      if (call.isReady() && (best == null || call.givenBytes() < best.givenBytes())) {
        best = call;
      }
    }
    return best != null && best.offer(frame);
  }

  private boolean offerToLeader(ByteBuffer frame, boolean isSeal) throws ShipmentException {
    if (!leader.offer(frame)) {
      sealWaits = isSeal;
      return false;
    }
    begun = true;
    if (isSeal) {
      all.forEach(OutboundCall::complete);
    }
    return true;
  }

  private static boolean isSeal(ByteBuffer frame) {
    try {
      return frame.remaining() >= FrameHeader.BYTES
          && FrameHeader.payloadBytes(frame, frame.position()) >= 0
          && FrameHeader.type(frame) == FrameType.SEAL;
    } catch (ShipmentException e) {
      return false; // The transactor will name the error.
    }
  }

  /** Sends a heartbeat to the transactor, unless other frames are queued. */
  void heartbeat() {
    leader.sendSmall(ControlFrame.heartbeat(shipmentId), false);
  }

  void awaitReady() throws ShipmentException, InterruptedException {
    CountDownLatch ready = new CountDownLatch(1);
    whenReady(ready::countDown);
    ready.await();
    ShipmentException over = end.get();
    if (over != null) {
      throw over;
    }
  }

  /** Runs the action once, when any of the calls is ready or all have ended. */
  void whenReady(Runnable action) {
    readyOrOver.add(action);
    if (mayTakeTheNext()) {
      readyOrOver.runAll();
    }
  }

  /** Whether a call may be ready for a frame, or none ever will be. */
  private boolean mayTakeTheNext() {
    return (!begun || sealWaits)
        ? leader.isReadyOrOver()
        : all.stream().anyMatch(OutboundCall::isReadyOrOver);
  }

  /**
   * Ends the calls for further frames.
   *
   * @param cause the exception that further offers throw
   * @return whether this was the first call to end them
   */
  boolean end(ShipmentException cause) {
    boolean first = end.compareAndSet(null, cause);
    if (first) {
      readyOrOver.runAll();
    }
    return first;
  }

  /** Drops frames that were not sent, after the {@link #end}. */
  void cutOff(ShipmentException cause) {
    all.forEach(call -> call.cutOff(cause));
  }
}
