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
import io.drayage.transport.netty.connection.Channels;
import io.drayage.transport.netty.connection.FrameBuffers;
import io.drayage.transport.netty.connection.FrameConnection;
import io.drayage.transport.netty.tls.TlsWorkerName;
import io.netty.channel.ChannelFuture;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.SocketChannel;
import io.netty.util.concurrent.ScheduledFuture;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One connection on the transactor's side. Its state belongs to its event loop, which need not be
 * that of its shipment; what the shipment asks of it is passed to its loop.
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

  /** How long an idle connection that was closed on this side may stay, so that its peer reads. */
  private static final Duration LINGER = Duration.ofSeconds(1);

  private final InetAddress peer;
  private final IdleTime idle;
  private final ServerShipments shipments;
  private final FrameIntake cargo = new FrameIntake(this);
  private State state = State.EXPECTED;
  private @Nullable ServerShipment shipment;

  /** Why the worker cancelled the shipment, which may be before the shipment knows of it. */
  private @Nullable ShipmentException cancelled;

  /** It has opened its shipment, and not joined it. */
  private boolean opensShipments;

  private boolean isChecked;

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

  /** A connection that asks for nothing is not kept, however many heartbeats it sends. */
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

  /** The name that the worker's certificate proves; null if it needs none. On the event loop. */
  @Nullable String provenWorker() {
    return TlsWorkerName.of(channel);
  }

  /** Whether frames are here that are not decoded. On any thread. */
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
          case MANIFEST, SEGMENT, CHUNK, SEAL -> state == State.BOUND;
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
      sayNothingAndClose(); // Another connection was given its place while this was idle.
      return;
    }
    if (formerId != IdleTime.NONE) {
      shipments.forgetEnd(formerId);
    }
    state = State.JOINING;
    opensShipments = true;
    OpenRequest wanted = OpenRequest.ofPayload(payload);
    shipments.open(TlsWorkerName.proven(channel, ShipmentHeader.ofPayload(payload)), wanted, this);
  }

  private void ask(TransactionRequest request) {
    state = State.ASKING;
    String proven = provenWorker();
    // Its failure is an argument of the answer.
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

  // Called by the shipment, on its home loop.

  /** It opens or resumes the shipment, and waits for the answer. */
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
   * It is the shipment's now: writes the answer and takes frames.
   *
   * @param isWhole whether the whole cargo is here, so that no further part of it may come
   */
  void bind(ServerShipment joined, CreditWindow credit, boolean isWhole, ByteBuffer answer) {
    onLoop(
        () -> {
          cargo.begin(joined, credit, state == State.JOINING);
          if (isWhole) { // Before the answer, upon which frames may come at once.
            cargo.end();
          }
          shipment = joined;
          if (state == State.OVER) {
            credit.close();
            joined.onUnused(this, gone());
            return;
          }
          state = State.BOUND;
          tell(answer);
          if (!isChecked) {
            isChecked = true;
            ProgressChecks.begin(channel, frames, options, this);
          }
        });
  }

  /** The whole cargo is here: takes no further part of it. */
  void endCredit() {
    onLoop(cargo::end);
  }

  /** Writes an answer. */
  void tell(ByteBuffer controlFrame) {
    Channels.write(channel, controlFrame);
  }

  /**
   * The shipment is committed, and the peer was told. The connection that opened it may open the
   * next one; the others are the peer's to close.
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

  /** Closes it if it waits for its next shipment. From any thread. */
  void closeIfIdle() {
    onLoop(
        () -> {
          if (idle.isNow()) {
            sayNothingAndClose();
          }
        });
  }

  /** Closes without an answer: its worker connects anew. */
  private void sayNothingAndClose() {
    end();
    frames.discardFurther();
    ChannelFuture unused = Channels.writeLast(channel, LINGER);
  }

  /**
   * The shipment is over: the connection is the peer's to close.
   *
   * @param answers written last; what the peer sends upon the first of them is dropped already
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

  /** The server is closed, and nothing was asked for. */
  void closeUnlessBound() {
    onLoop(
        () -> {
          if (state == State.EXPECTED) {
            close();
          }
        });
  }

  /** The shipment goes on without it. */
  void drop() {
    onLoop(this::close);
  }

  /**
   * Sends the reason and then drops whatever comes, until the peer closes: closing with unread
   * bytes would reset the connection, and the peer might never read the reason.
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

  // What ends it.

  @Override
  public void onBadFrame(ShipmentException cause) {
    fault(cause);
  }

  /**
   * Ends the shipment because of this connection. On the event loop, which does not know what has
   * become of the shipment, or which one the connection was meant for.
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

  /** The worker may speak again, for it may only have slept: it still reads why. */
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

  /** The shipment under way over it; null if there is none. On the event loop. */
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

  void onLoop(Runnable task) {
    // A loop that has ended has ended its server and this connection.
    boolean unused = Channels.runOn(eventLoop(), task);
  }
}
