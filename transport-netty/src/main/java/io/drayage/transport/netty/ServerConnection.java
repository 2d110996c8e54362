package io.drayage.transport.netty;

import io.drayage.frame.Failure;
import io.drayage.frame.Fault;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.FrameType;
import io.drayage.frame.Join;
import io.drayage.frame.OpenRequest;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.frame.TransactionAnswer;
import io.drayage.frame.TransactionRequest;
import io.drayage.transport.TransportOptions;
import io.drayage.transport.netty.tls.TlsWorkerName;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.SocketChannel;
import io.netty.util.concurrent.ScheduledFuture;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One connection on the transactor's side. Its state belongs to its event loop, which may not be
 * the home loop of its shipment. Calls of the shipment are passed to the connection's loop.
 *
 * <pre>
 *   EXPECTED --OPEN or JOIN--> JOINING --accepted--> BOUND --> OVER
 *     | '-----BEGIN, RENEW, COMMIT or ABORT--> ASKING --answered--'
 *     | ^ \_______________________\___________________________/
 *     | '------- committed, and it had OPEN -----------'
 * </pre>
 */
final class ServerConnection extends FrameConnection {
  private enum State {
    EXPECTED,
    JOINING,
    ASKING,
    BOUND,
    OVER
  }

  /** Time that a closed idle connection may stay, so that its peer reads. */
  private static final Duration LINGER = Duration.ofSeconds(1);

  private final InetAddress peer;
  private final IdleTime idle;
  private final ServerShipments shipments;
  private final FrameIntake cargo = new FrameIntake(this);
  private State state = State.EXPECTED;
  private @Nullable ServerShipment shipment;

  /** The reason of the worker's cancellation; the shipment may learn of it later. */
  private @Nullable ShipmentException cancelled;

  /** Whether this connection opened its shipment, and did not join it. */
  private boolean opensShipments;

  private boolean isChecked;

  /** Whether the request is read at this moment: the cargo may have been read with it. */
  private boolean isReadingRequest;

  /** Whether an answer is written, and waits for the end of the reading. */
  private boolean isUnflushed;

  ServerConnection(
      SocketChannel channel,
      InetAddress peer,
      ConnectionPlaces.Place place,
      ServerShipments shipments,
      FrameBuffers buffers,
      TransportOptions options) {
    super(channel, buffers, options);
    this.peer = peer;
    this.idle = new IdleTime(place, options.idleTimeout());
    this.shipments = shipments;
  }

  @Override
  public void attach() {
    super.attach();
    long openNs = options.openTimeout().toNanos();
    ScheduledFuture<?> openDeadline =
        eventLoop().schedule(this::requireOpened, openNs, TimeUnit.NANOSECONDS);
    channel.closeFuture().addListener(closed -> openDeadline.cancel(false));
  }

  /** Closes a connection that has asked for nothing, however many heartbeats came. */
  private void requireOpened() {
    if (state == State.EXPECTED && !idle.isNow()) {
      Channels.close(channel);
    }
  }

  EventLoop eventLoop() {
    return channel.eventLoop();
  }

  InetAddress peer() {
    return peer;
  }

  /** Returns the name that the worker's certificate proves; null if not needed. Event loop only. */
  @Nullable String provenWorker() {
    return TlsWorkerName.of(channel);
  }

  /** Checks whether frames are undecoded. Thread-safe. */
  boolean hasUndecoded() {
    return cargo.hasUndecoded();
  }

  @Override
  public void beforeFrame(FrameType type, int frameBytes) throws ShipmentException {
    if (type.needsCredit()) {
      cargo.requireMore(type);
    }
    boolean expected =
        switch (type) {
          case OPEN -> state == State.EXPECTED;
          case JOIN, BEGIN, RENEW, COMMIT, ABORT -> state == State.EXPECTED && !idle.isNow();
          case MANIFEST, SEGMENT, CHUNK, SEAL ->
              state == State.BOUND || (state == State.JOINING && cargo.mayBeEarly());
          case CANCEL, HEARTBEAT -> true;
          default -> false;
        };
    if (!expected) {
      throw new ShipmentException(
          Fault.PROTOCOL_VIOLATION,
          "a %s frame came at a wrong time (connection %s)".formatted(type, remote()));
    }
    if (type.needsCredit()) {
      cargo.acquire(frameBytes);
    }
  }

  @Override
  public void onFrame(FrameType type, ByteBuffer frame, Runnable recycle) throws ShipmentException {
    if (type.needsCredit()) {
      cargo.take(type, frame, recycle);
      return;
    }
    try {
      ByteBuffer payload = FrameHeader.verify(frame);
      switch (type) {
        case OPEN -> onOpen(payload);
        case JOIN -> {
          state = State.JOINING;
          shipments.join(this, FrameHeader.shipmentId(frame), Join.ofPayload(payload));
        }
        case CANCEL -> onCancel(Failure.ofPayload(payload));
        case BEGIN, RENEW, COMMIT, ABORT -> ask(TransactionRequest.ofPayload(type, payload));
        default -> {
          // A heartbeat shows that the peer is alive, as any byte does.
        }
      }
    } finally {
      recycle.run();
    }
  }

  private void onOpen(ByteBuffer payload) throws ShipmentException {
    long formerId = idle.formerId();
    if (!idle.end()) {
      sayNothingAndClose(); // Another connection got the place while this one was idle.
      return;
    }
    if (formerId != IdleTime.NONE) {
      shipments.forgetEnd(formerId);
    }
    state = State.JOINING;
    opensShipments = true;
    OpenRequest wanted = OpenRequest.ofPayload(payload);
    cargo.allowEarly(wanted);
    isReadingRequest = true;
    try {
      shipments.open(
          TlsWorkerName.proven(channel, ShipmentHeader.ofPayload(payload)), wanted, this);
    } finally {
      isReadingRequest = false;
    }
  }

  /** Flushes the acceptance, unless HELD came with it and has flushed both. */
  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    if (isUnflushed) {
      isUnflushed = false;
      context.flush();
    }
  }

  private void ask(TransactionRequest request) {
    state = State.ASKING;
    String proven = provenWorker();
    // The failure is an argument of the callback.
    var unused =
        shipments
            .ask(proven == null ? request : request.withWorker(proven))
            .whenComplete(
                (answer, failure) -> {
                  if (answer == null) {
                    endWith(ShipmentException.of(TransactionAnswer.cause(failure)));
                  } else {
                    finish(answer.toFrame());
                  }
                });
  }

  private void onCancel(ShipmentException cause) {
    ServerShipment target = shipment;
    cancelled = cause;
    close();
    if (target != null) {
      target.onCancelled(this, cause);
    }
  }

  // The shipment calls these methods, on its home loop.

  /** Waits for the answer of the shipment, which the connection opens or resumes. */
  void await(ServerShipment joined) {
    onLoop(
        () -> {
          shipment = joined;
          ShipmentException givenUp = cancelled;
          if (givenUp != null) {
            joined.onCancelled(this, givenUp);
          } else if (state == State.OVER) {
            joined.onLost(this, gone());
          }
        });
  }

  /**
   * Binds the connection to the shipment: writes the answer and accepts frames.
   *
   * @param isWhole whether the cargo is complete, so that no further part of it may come
   */
  void bind(ServerShipment joined, CreditWindow credit, boolean isWhole, ByteBuffer answer) {
    onLoop(
        () -> {
          cargo.begin(joined, credit, state == State.JOINING);
          if (isWhole) { // Before the answer, after which frames may come at once.
            cargo.end();
          }
          shipment = joined;
          if (state == State.OVER) {
            credit.close();
            joined.onUnused(this, gone());
            return;
          }
          state = State.BOUND;
          accept(answer);
          if (!isChecked) {
            isChecked = true;
            ProgressChecks.begin(channel, frames, options, this);
          }
        });
  }

  private void accept(ByteBuffer answer) {
    if (isReadingRequest) {
      isUnflushed = true;
      channel
          .write(Unpooled.wrappedBuffer(answer))
          .addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
      return;
    }
    tell(answer);
    try {
      cargo.takeEarly();
    } catch (ShipmentException e) {
      fault(e);
    }
  }

  /** Refuses further frames of the cargo, because the cargo is complete. */
  void endCredit() {
    onLoop(cargo::end);
  }

  /** Writes an answer. */
  void tell(ByteBuffer controlFrame) {
    Channels.write(channel, controlFrame);
  }

  /**
   * Ends a committed shipment, after its answer. The connection that opened it may open the next
   * one. The peer closes the others.
   */
  void expectNext() {
    onLoop(
        () -> {
          ServerShipment committed = shipment;
          if (state != State.BOUND || committed == null || !opensShipments) {
            finish();
            return;
          }
          shipment = null;
          cargo.expectNext();
          state = State.EXPECTED;
          boolean isYoung = idle.begin(committed.shipmentId(), this::closeIfIdle);
          if (shipments.isDraining() || !isYoung) {
            closeIfIdle();
          }
        });
  }

  /** Closes the connection if it waits for its next shipment. Thread-safe. */
  void closeIfIdle() {
    onLoop(
        () -> {
          if (idle.isNow()) {
            sayNothingAndClose();
          }
        });
  }

  /** Closes without an answer: the worker connects again. */
  private void sayNothingAndClose() {
    end();
    frames.discardFurther();
    ChannelFuture unused = Channels.writeLast(channel, LINGER);
  }

  /**
   * Ends the shipment on this connection. The peer is to close the connection.
   *
   * @param answers the last frames; later frames of the peer are dropped
   */
  void finish(ByteBuffer... answers) {
    onLoop(
        () -> {
          end();
          frames.discardFurther();
          for (ByteBuffer answer : answers) {
            tell(answer);
          }
          Channels.closeLater(channel, options.idleTimeout());
        });
  }

  /** Closes the connection if it has no request, because the server is closed. */
  void closeUnlessBound() {
    onLoop(
        () -> {
          if (state == State.EXPECTED) {
            close();
          }
        });
  }

  /** Closes the connection. Its shipment goes on without it. */
  void drop() {
    onLoop(this::close);
  }

  /**
   * Sends the reason, and then drops all input until the peer closes. Closing with unread bytes
   * would reset the connection, and the peer might never read the reason.
   */
  void endWith(ShipmentException cause) {
    onLoop(() -> answerFailure(cause));
  }

  private void answerFailure(ShipmentException cause) {
    if (state == State.OVER) {
      return;
    }
    ServerShipment ended = shipment;
    long shipmentId = ended == null ? idle.formerId() : ended.shipmentId();
    finish(Failure.toFrame(FrameType.FAILED, shipmentId, cause));
  }

  // Methods that end the connection.

  @Override
  public void onBadFrame(ShipmentException cause) {
    fault(cause);
  }

  /**
   * Ends the shipment because of this connection. The answer says that the outcome is unknown: the
   * event loop does not know the shipment's state or, maybe, which one the peer meant. Event loop
   * only.
   */
  void fault(ShipmentException cause) {
    ServerShipment target = shipment;
    answerFailure(cause.withOutcome(ShipmentException.Outcome.UNKNOWN));
    if (target != null) {
      target.onFault(this, cause);
    }
  }

  @Override
  protected void onGone(ShipmentException cause) {
    ServerShipment target = shipment;
    end();
    if (target != null) {
      target.onLost(this, cause);
    }
  }

  @Override
  protected void onHeartbeatDue() {
    ServerShipment target = shipment;
    if (target != null) {
      Channels.heartbeat(channel, target.shipmentId());
    } else if (state == State.ASKING) {
      Channels.heartbeat(channel, 0);
    } else if (idle.isOver()) {
      closeIfIdle();
    }
  }

  /** Sends the reason to a silent worker, which may only have slept and can still read it. */
  @Override
  protected void onSilence(ShipmentException cause) {
    if (hasUndecoded()) {
      return; // The worker may be waiting for us.
    }
    if (state == State.OVER) {
      Channels.close(channel);
      return;
    }
    if (idle.isNow()) {
      sayNothingAndClose();
      return;
    }
    ServerShipment target = shipment;
    answerFailure(cause.withOutcome(ShipmentException.Outcome.UNKNOWN));
    if (target != null) {
      target.onLost(this, cause);
    }
  }

  /** Returns the running shipment of this connection; null if there is none. Event loop only. */
  @Nullable ServerShipment shipmentUnderWay() {
    return state == State.BOUND ? shipment : null;
  }

  private void close() {
    end();
    Channels.close(channel);
  }

  private void end() {
    state = State.OVER;
    boolean unused = idle.end();
    shipment = null;
    cargo.leave();
  }

  /** Runs a task on the event loop, after the frames that the loop has read. Thread-safe. */
  void afterReading(Runnable task) {
    boolean unused = Channels.runLater(eventLoop(), task);
  }

  void onLoop(Runnable task) {
    // If the loop has ended, its server and this connection have ended too.
    boolean unused = Channels.runOn(eventLoop(), task);
  }
}
