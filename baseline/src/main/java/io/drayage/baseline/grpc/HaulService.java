package io.drayage.baseline.grpc;

import static io.drayage.internal.Texts.format;

import io.drayage.frame.ControlFrame;
import io.drayage.frame.Failure;
import io.drayage.frame.Fault;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.FrameType;
import io.drayage.frame.OpenRequest;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.frame.Token;
import io.drayage.memory.Lease;
import io.drayage.transport.ShipmentAcceptor;
import io.drayage.transport.TransportOptions;
import io.drayage.transport.internal.ShipmentWatch;
import io.grpc.BindableService;
import io.grpc.ServerServiceDefinition;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The four calls, each answered with one frame, also in case of an error, and the open shipments.
 * Thread-safe.
 *
 * <p>gRPC does not show a service the connection below the calls of a shipment. Every caller who
 * knows a shipment's number can use it. So the numbers are random and cannot be guessed.
 */
final class HaulService implements BindableService {
  /** The most shipments of a server, and the most calls that have not named their shipment. */
  static final int MAX_SHIPMENTS = 1_024;

  private final HaulMethods<Lease> methods;
  private final ShipmentAcceptor acceptor;
  private final TransportOptions options;
  private final SecureRandom random = new SecureRandom();
  private final Map<Long, InboundShipment> byId = new ConcurrentHashMap<>();
  private final Set<InboundCall> nameless = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  HaulService(HaulMethods<Lease> methods, ShipmentAcceptor acceptor, TransportOptions options) {
    this.methods = methods;
    this.acceptor = acceptor;
    this.options = options;
  }

  @Override
  public ServerServiceDefinition bindService() {
    return ServerServiceDefinition.builder(HaulMethods.SERVICE)
        .addMethod(
            methods.open(),
            ServerCalls.asyncUnaryCall((request, call) -> answer(call, () -> open(request))))
        .addMethod(methods.ship(), ServerCalls.asyncClientStreamingCall(this::ship))
        .addMethod(methods.commit(), ServerCalls.asyncUnaryCall(this::commit))
        .addMethod(
            methods.cancel(),
            ServerCalls.asyncUnaryCall((request, call) -> answer(call, () -> cancel(request))))
        .build();
  }

  private ByteBuffer open(Lease request) throws ShipmentException {
    ByteBuffer payload = Frames.payload(request.buffer(), FrameType.OPEN);
    int wanted = OpenRequest.ofPayload(payload).connections();
    ShipmentHeader header = ShipmentHeader.ofPayload(payload);
    if (header.options().fragment() != null) {
      throw new ShipmentException(
          Fault.REFUSED, "gRPC carries no fragments of transactions of several workers: use netty");
    }
    InboundShipment shipment = add();
    try {
      shipment.handleWith(acceptor.accept(header, shipment), wanted);
    } catch (ShipmentException | RuntimeException e) {
      remove(shipment);
      throw ShipmentException.of(e);
    }
    return shipment.acceptance().toFrame();
  }

  /**
   * Adds a new shipment.
   *
   * @throws ShipmentException {@link Fault#BUSY} if there are too many, {@link Fault#CANCELLED} if
   *     the server closes
   */
  InboundShipment add() throws ShipmentException {
    if (byId.size() >= MAX_SHIPMENTS) {
      throw new ShipmentException(
          Fault.BUSY, format("there are %,d open shipments already", byId.size()));
    }
    long id = random.nextLong(1, Long.MAX_VALUE);
    InboundShipment shipment =
        new InboundShipment(
            id,
            Token.random(random),
            new ShipmentWatch(id, options, System::nanoTime),
            this::shareBytes,
            this::remove);
    byId.put(id, shipment);
    if (closed) {
      remove(shipment);
      throw serverClosed();
    }
    return shipment;
  }

  /** The bytes of frames that each shipment may have here: its limit, or its share of all. */
  private long shareBytes() {
    return Math.min(
        options.shipmentCreditBytes(), options.serverBudgetBytes() / Math.max(1, byId.size()));
  }

  /**
   * Returns the shipment with this number.
   *
   * @throws ShipmentException {@link Fault#EXPIRED} if there is none or it has ended, perhaps by
   *     another of its calls; it can be sent again
   */
  InboundShipment get(long id) throws ShipmentException {
    InboundShipment shipment = byId.get(id);
    if (shipment == null) {
      throw new ShipmentException(Fault.EXPIRED, format("shipment %d is not open here", id));
    }
    return shipment;
  }

  private void remove(InboundShipment shipment) {
    byId.remove(shipment.shipmentId());
  }

  private StreamObserver<Lease> ship(StreamObserver<Lease> answer) {
    ServerCallStreamObserver<Lease> call = (ServerCallStreamObserver<Lease>) answer;
    call.disableAutoRequest();
    InboundCall inbound = new InboundCall(call, this);
    call.setOnCancelHandler(inbound::onGone);
    if (nameless.size() >= MAX_SHIPMENTS) {
      inbound.endNameless(
          new ShipmentException(
              Fault.BUSY, format("%,d calls name no shipment already", nameless.size())));
    } else {
      nameless.add(inbound);
    }
    if (closed) {
      inbound.endNameless(serverClosed()); // close() may have run already.
    }
    call.request(1);
    return inbound;
  }

  /** Removes a call that has named its shipment, or will not. */
  void remove(InboundCall call) {
    nameless.remove(call);
  }

  private void commit(Lease request, StreamObserver<Lease> answer) {
    ServerCallStreamObserver<Lease> call = (ServerCallStreamObserver<Lease>) answer;
    try {
      ByteBuffer unused = Frames.payload(request.buffer(), FrameType.HEARTBEAT);
      InboundShipment shipment = get(FrameHeader.shipmentId(request.buffer()));
      call.setOnCancelHandler(
          () ->
              shipment.peerGone(
                  new ShipmentException(
                      Fault.PEER_GONE, "the worker's call was cut off during the commit")));
      shipment.commit(call);
    } catch (ShipmentException e) {
      answer(call, failed(e));
    }
  }

  /** Makes the answer to a call that cannot know the outcome of its shipment. */
  static ByteBuffer failed(ShipmentException cause) {
    return Failure.toFrame(
        FrameType.FAILED, 0, cause.withOutcome(ShipmentException.Outcome.UNKNOWN));
  }

  private ByteBuffer cancel(Lease request) throws ShipmentException {
    ByteBuffer payload = Frames.payload(request.buffer(), FrameType.CANCEL);
    InboundShipment shipment = get(FrameHeader.shipmentId(request.buffer()));
    shipment.abort(Failure.ofPayload(payload));
    remove(shipment);
    return ControlFrame.heartbeat(shipment.shipmentId());
  }

  private static void answer(StreamObserver<Lease> call, Reply reply) {
    ByteBuffer frame;
    try {
      frame = reply.frame();
    } catch (ShipmentException e) {
      frame = failed(e);
    }
    answer(call, frame);
  }

  /** Sends the one answer of a call. */
  static void answer(StreamObserver<Lease> call, ByteBuffer frame) {
    call.onNext(Lease.ofHeap(frame));
    call.onCompleted();
  }

  /** Ends calls and shipments after the idle timeout or the stall timeout. */
  void endOverdue() {
    long limitNs = options.idleTimeout().toNanos();
    for (InboundShipment shipment : byId.values()) {
      ShipmentException cause = shipment.overdue();
      if (cause != null) {
        shipment.peerGone(cause);
      }
    }
    for (InboundCall call : nameless) {
      if (call.openNs() > limitNs) {
        call.endNameless(ShipmentWatch.silent("the worker", limitNs));
      }
    }
  }

  /** Fails all shipments and calls with {@link Fault#CANCELLED}, and accepts no more. */
  void close() {
    closed = true;
    nameless.forEach(call -> call.endNameless(serverClosed()));
    byId.values().forEach(shipment -> shipment.peerGone(serverClosed()));
  }

  private static ShipmentException serverClosed() {
    return new ShipmentException(Fault.CANCELLED, "the server was closed");
  }

  private interface Reply {
    ByteBuffer frame() throws ShipmentException;
  }
}
