package io.drayage.baseline.grpc;

import io.drayage.frame.ControlFrame;
import io.drayage.frame.Join;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.Token;
import io.drayage.transport.ReadyActions;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The calls that ship the frames of one shipment, each over its own channel. The first one leads:
 * it ships the first frame and the seal, and gets the answer. Every other frame goes to the call
 * with the fewest bytes so far, of those that are ready; gRPC does not tell what waits in one.
 * Thread-safe.
 */
final class OutboundCalls {
  private final long shipmentId;
  private final OutboundCall leader;
  private final List<OutboundCall> all = new ArrayList<>();

  /** What waits for any call to be ready: each action once, however many calls are not for long. */
  private final ReadyActions readyOrOver = new ReadyActions();

  private volatile boolean begun;

  /** Whether the leading call was not ready for the seal; nothing else is offered after it. */
  private volatile boolean sealWaits;

  /**
   * @param channels one for each call, at least one
   * @param onAnswer gets the answer of the leading call
   * @param onExtra takes those of the others
   */
  OutboundCalls(
      long shipmentId,
      List<HaulCalls> channels,
      Answer.Receiver onAnswer,
      Answer.Receiver onExtra,
      Consumer<ShipmentException> onFailure) {
    this.shipmentId = shipmentId;
    for (HaulCalls channel : channels) {
      Answer.Receiver taker = all.isEmpty() ? onAnswer : onExtra;
      all.add(new OutboundCall(channel.flavour(), taker, onFailure, readyOrOver::runAll));
    }
    this.leader = all.get(0);
  }

  /** Starts the calls and names the shipment in each. */
  void begin(List<HaulCalls> channels, Token token) {
    leader.start(channels.get(0));
    leader.sendNow(ControlFrame.heartbeat(shipmentId));
    for (int further = 1; further < all.size(); further++) {
      all.get(further).start(channels.get(further));
      all.get(further).sendNow(new Join(token, Join.Purpose.STRIPE).toFrame(shipmentId));
    }
  }

  /** As {@link OutboundCall#offer}, to one of them. */
  boolean offer(ByteBuffer frame) throws ShipmentException {
    if (!begun || all.size() == 1 || OutboundCall.isSeal(frame)) {
      return offerToLeader(frame);
    }
    OutboundCall best = null;
    for (OutboundCall call : all) {
      if (call.isReady() && (best == null || call.givenBytes() < best.givenBytes())) {
        best = call;
      }
    }
    return best != null && best.offer(frame);
  }

  private boolean offerToLeader(ByteBuffer frame) throws ShipmentException {
    boolean isSeal = OutboundCall.isSeal(frame);
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

  void sendIfIdle(ByteBuffer frame) {
    leader.sendIfIdle(frame);
  }

  void awaitReady() throws ShipmentException, InterruptedException {
    CountDownLatch ready = new CountDownLatch(1);
    whenReady(ready::countDown);
    ready.await();
    leader.requireUnderWay();
  }

  /** Runs it once, when any of them is ready or they have ended. */
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

  /** As {@link OutboundCall#end}. */
  boolean end(ShipmentException cause) {
    boolean first = leader.end(cause);
    all.forEach(call -> call.end(cause));
    return first;
  }

  void cutOff(@Nullable ShipmentException cause) {
    all.forEach(call -> call.cutOff(cause));
  }
}
