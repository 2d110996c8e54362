package io.drayage.baseline.grpc;

import io.drayage.frame.ControlFrame;
import io.drayage.frame.Failure;
import io.drayage.frame.Fault;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.FrameType;
import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.Token;
import io.drayage.memory.Lease;
import io.drayage.transport.Shipment;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One shipment on the worker's side: a call that ships its frames, then one that waits for the
 * commit. A frame is handed over when it has been copied into a message.
 */
final class GrpcShipment implements Shipment {
  private final long id;
  private final List<HaulCalls> channels;
  private final HaulCalls calls;
  private final Duration cancelTimeout;
  private final Consumer<GrpcShipment> onEnd;
  private final OutboundCalls frames;
  private final CompletableFuture<Seal> held = new CompletableFuture<>();
  private final CompletableFuture<Long> committed = new CompletableFuture<>();

  /**
   * @param channels for a call with frames each; the first one for all other calls as well
   * @param cancelTimeout how long the transactor may take to hear of a cancellation
   * @param onEnd called at least once, when the shipment is over
   */
  GrpcShipment(
      long id, List<HaulCalls> channels, Duration cancelTimeout, Consumer<GrpcShipment> onEnd) {
    this.id = id;
    this.channels = channels;
    this.calls = channels.get(0);
    this.cancelTimeout = cancelTimeout;
    this.onEnd = onEnd;
    this.frames = new OutboundCalls(id, channels, this::onShipped, this::onExtra, this::fail);
  }

  /**
   * Starts the calls and names the shipment, so that the transactor can answer at any time.
   *
   * @param token lets calls join the first one
   */
  void begin(Token token) {
    frames.begin(channels, token);
  }

  /** Tells the transactor that the worker is there, although it has nothing to send yet. */
  void heartbeat() {
    frames.sendIfIdle(ControlFrame.heartbeat(id));
  }

  @Override
  public long id() {
    return id;
  }

  @Override
  public boolean offer(Lease frame) throws ShipmentException {
    if (!frames.offer(frame.buffer())) {
      return false;
    }
    frame.close();
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
    ByteBuffer frame = Frames.checked(answer);
    ByteBuffer payload = FrameHeader.verify(frame);
    switch (FrameHeader.type(frame)) {
      case HELD -> {
        held.complete(Seal.ofPayload(payload));
        calls.commit(
            ControlFrame.heartbeat(id),
            new Answer("waiting for the commit", this::onCommitted, this::fail));
      }
      case FAILED -> fail(Failure.ofPayload(payload));
      default -> throw unexpected(frame);
    }
  }

  /** A further call was ended. */
  private void onExtra(ByteBuffer answer) throws ShipmentException {
    ByteBuffer frame = Frames.checked(answer);
    ByteBuffer payload = FrameHeader.verify(frame);
    switch (FrameHeader.type(frame)) {
      case HEARTBEAT -> {
        // It has read all of its frames.
      }
      case FAILED -> onExtraFailed(Failure.ofPayload(payload));
      default -> throw unexpected(frame);
    }
  }

  /**
   * Frames may be lost with it. If the shipment is over, which may be why, the answer to the first
   * call is on its way, and comes before that to another call over the same channel.
   */
  private void onExtraFailed(ShipmentException cause) {
    calls.cancel(
        Failure.toFrame(FrameType.CANCEL, id, cause),
        cancelTimeout,
        new Answer("cancelling", answer -> fail(cause), ignored -> fail(cause)));
  }

  private void onCommitted(ByteBuffer answer) throws ShipmentException {
    ByteBuffer frame = Frames.checked(answer);
    ByteBuffer payload = FrameHeader.verify(frame);
    switch (FrameHeader.type(frame)) {
      case COMMITTED -> {
        long timestamp = ControlFrame.number(payload);
        frames.end(new ShipmentException(Fault.PROTOCOL_VIOLATION, "the shipment is committed"));
        committed.complete(timestamp);
        onEnd.accept(this);
      }
      case FAILED -> fail(Failure.ofPayload(payload));
      default -> throw unexpected(frame);
    }
  }

  private static ShipmentException unexpected(ByteBuffer frame) {
    return new ShipmentException(
        Fault.PROTOCOL_VIOLATION,
        "%s frame where an answer belongs".formatted(FrameHeader.type(frame)));
  }

  private void fail(ShipmentException cause) {
    if (frames.end(cause)) {
      held.completeExceptionally(cause);
      committed.completeExceptionally(cause);
      cutOff(cause);
    }
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
   * Tells the transactor in a separate call, because the one with the frames may be stalled, and
   * cuts that one off when the transactor has heard.
   */
  @Override
  public void cancel(ShipmentException cause) {
    if (!frames.end(cause)) {
      return;
    }
    held.completeExceptionally(cause);
    committed.completeExceptionally(cause);
    calls.cancel(
        Failure.toFrame(FrameType.CANCEL, id, cause),
        cancelTimeout,
        new Answer("cancelling", answer -> cutOff(cause), ignored -> cutOff(cause)));
  }

  private void cutOff(@Nullable ShipmentException cause) {
    frames.cutOff(cause);
    onEnd.accept(this);
  }

  @Override
  public void close() {
    cancel(new ShipmentException(Fault.CANCELLED, "the worker gave the shipment up"));
  }
}
