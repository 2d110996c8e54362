package io.drayage.baseline.grpc;

import io.drayage.frame.ControlFrame;
import io.drayage.frame.Failure;
import io.drayage.frame.Fault;
import io.drayage.frame.FrameType;
import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.StoreShare;
import io.drayage.frame.Token;
import io.drayage.memory.Lease;
import io.drayage.transport.Shipment;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * One shipment on the worker's side: calls that ship its frames, then a call that waits for the
 * commit. A frame is handed over when it has been copied into a message.
 */
final class GrpcShipment implements Shipment {
  private final long id;
  private final StoreShare store;
  private final HaulCalls calls;
  private final Duration cancelTimeout;
  private final Consumer<GrpcShipment> onEnd;
  private final OutboundCalls frames;
  private final CompletableFuture<Seal> held = new CompletableFuture<>();
  private final CompletableFuture<Long> committed = new CompletableFuture<>();

  /**
   * @param store the transactor's store, and its use of the bytes
   * @param channels one for each call with frames; the first one also carries all other calls
   * @param cancelTimeout the longest time until the transactor has received a cancellation
   * @param onEnd called at least once, when the shipment is over
   */
  GrpcShipment(
      long id,
      StoreShare store,
      List<HaulCalls> channels,
      Duration cancelTimeout,
      Consumer<GrpcShipment> onEnd) {
    this.id = id;
    this.store = store;
    this.calls = channels.get(0);
    this.cancelTimeout = cancelTimeout;
    this.onEnd = onEnd;
    this.frames = new OutboundCalls(id, channels, this::onShipped, this::onExtra, this::fail);
  }

  /** Begins the calls, see {@link OutboundCalls#begin}. */
  void begin(Token token) {
    frames.begin(token);
  }

  /** Sends a heartbeat, see {@link OutboundCalls#heartbeat}. */
  void heartbeat() {
    frames.heartbeat();
  }

  @Override
  public long id() {
    return id;
  }

  @Override
  public StoreShare store() {
    return store;
  }

  @Override
  public boolean offer(Lease frame) throws ShipmentException {
    if (!frames.offer(frame.buffer())) {
      return false;
    }
    frame.release();
    return true;
  }

  @Override
  public void awaitReady() throws ShipmentException, InterruptedException {
    frames.awaitReady();
  }

  @Override
  public void whenReady(Runnable action) {
    frames.whenReady(action);
  }

  private void onShipped(ByteBuffer answer) throws ShipmentException {
    held.complete(Seal.ofPayload(Frames.payload(answer, FrameType.HELD)));
    calls.commit(
        ControlFrame.heartbeat(id),
        new Answer("waiting for the commit", this::onCommitted, this::fail));
  }

  /**
   * Handles the end of a further call: the transactor has read all of its frames, or some may be
   * lost. The call may have ended because the shipment is over. Then the answer to the first call
   * is under way, and arrives before the answer to another call over the same channel.
   */
  private void onExtra(ByteBuffer answer) {
    try {
      ByteBuffer unused = Frames.payload(answer, FrameType.HEARTBEAT);
    } catch (ShipmentException e) {
      tellCancelled(e, () -> fail(e));
    }
  }

  private void onCommitted(ByteBuffer answer) throws ShipmentException {
    long timestamp = ControlFrame.number(Frames.payload(answer, FrameType.COMMITTED));
    frames.end(new ShipmentException(Fault.PROTOCOL_VIOLATION, "the shipment is committed"));
    committed.complete(timestamp);
    onEnd.accept(this);
  }

  private void fail(ShipmentException cause) {
    if (end(cause)) {
      cutOff(cause);
    }
  }

  private boolean end(ShipmentException cause) {
    boolean first = frames.end(cause);
    if (first) {
      held.completeExceptionally(cause);
      committed.completeExceptionally(cause);
    }
    return first;
  }

  private void cutOff(ShipmentException cause) {
    frames.cutOff(cause);
    onEnd.accept(this);
  }

  @Override
  public CompletableFuture<Seal> held() {
    return held;
  }

  @Override
  public CompletableFuture<Long> committed() {
    return committed;
  }

  /**
   * Notifies the transactor in a separate call, because the call with the frames may be stalled,
   * and cuts the call with the frames off when the transactor has answered.
   */
  @Override
  public void cancel(ShipmentException cause) {
    if (end(cause)) {
      tellCancelled(cause, () -> cutOff(cause));
    }
  }

  private void tellCancelled(ShipmentException cause, Runnable whenToldOrNot) {
    calls.cancel(
        Failure.toFrame(FrameType.CANCEL, id, cause),
        cancelTimeout,
        new Answer("cancelling", answer -> whenToldOrNot.run(), failure -> whenToldOrNot.run()));
  }

  @Override
  public void close() {
    cancel(new ShipmentException(Fault.CANCELLED, "the worker cancelled the shipment"));
  }
}
