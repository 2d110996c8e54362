package io.drayage.transport.netty;

import static io.drayage.transport.netty.WireFault.FaultKind.FREEZE;
import static io.drayage.transport.netty.WireFault.FaultKind.RESET;
import static io.drayage.transport.netty.WireFault.FaultKind.SILENT_DROP;
import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.frame.Accepted;
import io.drayage.frame.ControlFrame;
import io.drayage.frame.Fault;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.FrameType;
import io.drayage.frame.Join;
import io.drayage.frame.OpenRequest;
import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.testing.ShipmentHeaders;
import io.drayage.testing.Waiting;
import io.drayage.transport.PeerLimits;
import io.drayage.transport.RecordingHandler;
import io.drayage.transport.Shipment;
import io.drayage.transport.TcpWire;
import io.drayage.transport.TransportClient;
import io.drayage.transport.TransportOptions;
import io.drayage.transport.TransportServer;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A connection whose shipment was committed serves the next one, and never causes a failure. */
class KeptConnectionsTest extends NettyFixture {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final long SMALL_BYTES = OpenRequest.MAX_SMALL_CREDIT_BYTES;
  private static final long LARGER_BYTES = SMALL_BYTES + 1;
  private static final TransportOptions IMPATIENT =
      OPTIONS.toBuilder().openTimeout(Duration.ofSeconds(1)).build();

  private TransportServer server;
  private TcpWire wire;
  private TransportClient client;

  private void start() throws ShipmentException {
    start(listen(RecordingHandler::resumable));
  }

  private void start(TransportServer listening) {
    server = listening;
    wire = closedAfterwards(new TcpWire(server.address()));
    client = closedAfterwards(transport().client(wire.address(), OPTIONS));
  }

  private Shipment open(ShipmentHeader header) throws Exception {
    return open(header, LARGER_BYTES);
  }

  private Shipment open(ShipmentHeader header, long creditBytes) throws Exception {
    return closedAfterwards(client.open(header, creditBytes, PATIENCE));
  }

  private static ShipmentHeader of(String worker) {
    return ShipmentHeaders.of(UUID.randomUUID(), 1, ShipmentHeader.Pipeline.SEGMENTS, 2, 1, worker);
  }

  private void finish(Shipment shipment, BitSet received) throws Exception {
    sendSegments(shipment, 0, 3, 500, received);
    Seal seal = sendSeal(shipment, 3, 500);
    assertThat(shipment.held().get()).isEqualTo(seal);
    assertThat(shipment.committed().get()).isEqualTo(3);
  }

  private void ship() throws Exception {
    ship("worker", SMALL_BYTES);
  }

  private void ship(String worker, long creditBytes) throws Exception {
    try (Shipment shipment = client.open(of(worker), creditBytes, PATIENCE)) {
      finish(shipment, new BitSet());
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {SMALL_BYTES, LARGER_BYTES})
  void servesOneCargoAfterAnotherEachWithItsOwnHeader(long creditBytes) throws Exception {
    List<String> workers = new ArrayList<>();
    start(
        listen(
            (header, replies) -> {
              workers.add(header.worker());
              return accepted(replies, RecordingHandler::resumable);
            },
            OPTIONS));
    for (String worker : List.of("first", "second", "third")) {
      ship(worker, creditBytes);
    }

    assertThat(workers).containsExactly("first", "second", "third");
    assertThat(wire.connections()).isEqualTo(1);
  }

  @Test
  void isNotKeptOfAShipmentThatFailed() throws Exception {
    ShipmentException cause = new ShipmentException(Fault.REJECTED, "no such column");
    start(listen(handler -> handler.resumable().failingAfterHeldWith(cause)));

    for (int round = 1; round <= 2; round++) {
      try (Shipment shipment = client.open(of("worker"), SMALL_BYTES, PATIENCE)) {
        sendSegments(shipment, 0, 3, 500, new BitSet());
        sendSeal(shipment, 3, 500);
        assertFault(failureOf(shipment.committed()), Fault.REJECTED, "no such column");
      }
      assertThat(wire.connections()).isEqualTo(round);
    }
  }

  @Test
  void isNotKeptOfAShipmentThatWasCancelled() throws Exception {
    start();
    open(of("worker")).close();

    ship();

    assertThat(wire.connections()).isEqualTo(2);
  }

  @Test
  void thatWasCutWhileIdleCostsNothing() throws Exception {
    start();
    ship();
    wire.cut();

    ship();
    ship();

    assertThat(wire.connections()).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource({
    "RESET, 16384",
    "RESET, 16385",
    "TRUNCATE, 16384",
    "TRUNCATE, 16385",
    "SILENT_DROP, 16384",
    "SILENT_DROP, 16385",
    "FREEZE, 16384",
    "FREEZE, 16385",
  })
  void thatDiesWithTheRequestCostsNothing(WireFault.FaultKind kind, long creditBytes)
      throws Exception {
    startBehind(WireFault.FlowDirection.TO_TRANSACTOR, FrameType.OPEN, kind);

    for (int i = 0; i < 3; i++) {
      ship("worker", creditBytes);
    }

    assertThat(handlers).hasSize(3);
  }

  /** Starts a server behind a wire that fails within the second frame of this type. */
  private void startBehind(
      WireFault.FlowDirection direction, FrameType type, WireFault.FaultKind kind)
      throws Exception {
    server = listen(RecordingHandler::resumable);
    boolean isSilent = kind == SILENT_DROP || kind == FREEZE;
    WireFault.Place second = new WireFault.Place.InFrame(type, 1, 0.5);
    WireFault fault = new WireFault(0, direction, second, direction, kind, 0);
    wire = closedAfterwards(FaultProxy.before(server.address(), List.of(fault)));
    client = closedAfterwards(transport().client(wire.address(), isSilent ? IMPATIENT : OPTIONS));
  }

  @ParameterizedTest
  @EnumSource(names = {"RESET", "SILENT_DROP", "FREEZE", "TRUNCATE"})
  void thatDiesWithTheAcceptanceSendsASmallCargoAgain(WireFault.FaultKind kind) throws Exception {
    startBehind(WireFault.FlowDirection.TO_WORKER, FrameType.ACCEPT, kind);

    ship();
    ship();
    ship();

    assertThat(handlers).hasSize(4);
  }

  @Test
  void ofAClosedServerFailsASmallCargo() throws Exception {
    server = listen(RecordingHandler::resumable);
    client = closedAfterwards(transport().client(server.address(), OPTIONS));
    ship();
    Shipment shipment = open(of("worker"), SMALL_BYTES);
    server.close();

    sendSegments(shipment, 0, 3, 500, new BitSet());
    Seal unused = sendSeal(shipment, 3, 500);

    assertFault(failureOf(shipment.committed()), Fault.PEER_GONE, "cannot connect");
  }

  @Test
  void staysIfASmallCargoIsCancelledBeforeItsSeal() throws Exception {
    start();
    ship();
    try (Shipment shipment = client.open(of("worker"), SMALL_BYTES, PATIENCE)) {
      sendSegments(shipment, 0, 2, 500, new BitSet());
    }
    ship();

    assertThat(wire.connections()).isEqualTo(1);
    assertThat(handlers).hasSize(2);
  }

  @Test
  void carriesASmallCargoThatIsResumed() throws Exception {
    start(listen(handler -> handler.resumable().committingLater()));
    ShipmentHeader header = of("worker");
    try (Shipment first = client.open(header, SMALL_BYTES, PATIENCE)) {
      sendSegments(first, 0, 3, 500, new BitSet());
      Seal unused = sendSeal(first, 3, 500);
      first.held().get();
      handlers.take().commit();
      assertThat(first.committed().get()).isEqualTo(3);
    }
    Shipment shipment = open(header, SMALL_BYTES);
    sendSegments(shipment, 0, 3, 500, new BitSet());
    Seal unused = sendSeal(shipment, 3, 500);
    shipment.held().get();
    wire.cut();
    assertThat(failureOf(shipment.committed()).fault()).isEqualTo(Fault.PEER_GONE);

    Shipment resumed = closedAfterwards(client.resume(shipment.ticket().orElseThrow(), header));
    handlers.take().commit();

    assertThat(resumed.committed().get()).isEqualTo(3);
    assertThat(resumed.id()).isZero();
  }

  @Test
  void carriesASmallCargoWhoseFramesNeedMoreCreditThanTheRequestWants() throws Exception {
    start();
    ship();
    try (Shipment shipment = client.open(of("worker"), 2_048, PATIENCE)) {
      finish(shipment, new BitSet());
    }

    assertThat(wire.connections()).isEqualTo(1);
  }

  @Test
  void ofAServerThatWasStartedAnewCostsNothing() throws Exception {
    server = listen(RecordingHandler::resumable);
    InetSocketAddress address = server.address();
    client = closedAfterwards(transport().client(address, OPTIONS));
    ship();
    server.close();
    closedAfterwards(
        transport()
            .listen(
                address,
                (header, replies) -> accepted(replies, RecordingHandler::resumable),
                OPTIONS));

    ship();
  }

  @Test
  void carriesAShipmentThatIsResumed() throws Exception {
    start();
    ship();
    ShipmentHeader header = of("worker");
    Shipment shipment = open(header);
    assertThat(wire.connections()).isEqualTo(1);
    sendSegments(shipment, 0, 2, 500, new BitSet());
    wire.cut();
    assertThat(failureOf(shipment.committed()).fault()).isEqualTo(Fault.PEER_GONE);

    Shipment resumed = closedAfterwards(client.resume(shipment.ticket().orElseThrow(), header));
    finish(resumed, resumed.received());

    ship();
    assertThat(handlers).hasSize(3);
  }

  // Duties of the transactor to a worker that sends raw frames.

  private RawPeer peer() throws IOException {
    return peer(server);
  }

  private Accepted shipped(RawPeer peer) throws IOException {
    Accepted shipment = peer.open(TRANSACTION);
    sendAll(peer, shipment);
    peer.receive(FrameType.COMMITTED);
    return shipment;
  }

  private static void sendAll(RawPeer peer, Accepted shipment) throws IOException {
    sendAll(peer, shipment, 3, 500);
    ByteBuffer held = peer.receive(FrameType.HELD);
    assertThat(FrameHeader.shipmentId(held)).isEqualTo(shipment.shipmentId());
  }

  @Test
  void isIdleOnlyUntilItsPlaceIsNeeded() throws Exception {
    server =
        listen(
            RecordingHandler::resumable,
            OPTIONS.toBuilder().peerLimits(new PeerLimits(9, 3, 9, 100 << 20)).build());
    RawPeer first = peer();
    Accepted unused = shipped(first);
    RawPeer second = peer();
    unused = shipped(second);
    RawPeer busy = peer();
    unused = busy.open(TRANSACTION);

    unused = peer().open(TRANSACTION);
    assertThat(first.isClosedByPeer()).isTrue();
    unused = second.open(TRANSACTION); // It had been idle longer.

    RawPeer fourth = peer();
    fourth.send(RawPeer.header(TRANSACTION).toFrame());
    assertFault(fourth.receiveFailure(), Fault.BUSY, "3 connections from /127.0.0.1 already");
  }

  @Test
  void getsNoCreditForASmallCargo() throws Exception {
    server = listen(RecordingHandler::resumable);
    RawPeer peer = peer();
    ByteBuffer request = RawPeer.header(TRANSACTION).toFrame(new OpenRequest(1, 3_300, 0));
    ByteBuffer segment = segment(0, 0, 500);
    ByteBuffer seal = sealOf(1, 0, 500).toFrame(FrameType.SEAL, 0);
    peer.send(
        ByteBuffer.allocate(request.remaining() + segment.remaining() + seal.remaining())
            .put(request)
            .put(segment)
            .put(seal)
            .flip());

    for (FrameType answer : List.of(FrameType.ACCEPT, FrameType.HELD, FrameType.COMMITTED)) {
      assertThat(FrameHeader.type(peer.receive())).isEqualTo(answer);
    }
  }

  @Test
  void referToNoShipmentBefore() throws Exception {
    start();
    ship();
    WeakReference<Shipment> ended;
    try (Shipment shipment = client.open(of("worker"), SMALL_BYTES, PATIENCE)) {
      ended = new WeakReference<>(shipment);
      finish(shipment, new BitSet());
    }
    for (int i = 0; i < 3; i++) {
      ship();
    }

    Waiting.await(
        () -> {
          System.gc();
          return ended.refersTo(null);
        });
  }

  @Test
  void isNotedIfARepeatFails() throws Exception {
    startBehind(WireFault.FlowDirection.TO_WORKER, FrameType.ACCEPT, RESET);
    ship();
    Shipment shipment = open(of("worker"), SMALL_BYTES);
    server.close();

    sendSegments(shipment, 0, 3, 500, new BitSet());
    Seal unused = sendSeal(shipment, 3, 500);

    assertThat(failureOf(shipment.committed()).fault().isConnectionLoss()).isTrue();
    assertThat(shipment.ticket()).isEmpty();
  }

  @Test
  void getsNoCreditBehindTheSeal() throws Exception {
    server = listen(RecordingHandler::resumable);
    RawPeer peer = peer();
    Accepted shipment = peer.open(TRANSACTION);
    long id = shipment.shipmentId();
    peer.send(segment(0, id, 500));
    assertThat(FrameHeader.type(peer.receive())).isEqualTo(FrameType.CREDIT);

    peer.send(sealOf(1, id, 500).toFrame(FrameType.SEAL, id));
    assertThat(FrameHeader.type(peer.receive())).isEqualTo(FrameType.HELD);
    assertThat(FrameHeader.type(peer.receive())).isEqualTo(FrameType.COMMITTED);
  }

  @Test
  void takesTheHeartbeatOfTheShipmentBefore() throws Exception {
    server = listen(RecordingHandler::resumable);
    RawPeer peer = peer();
    Accepted first = shipped(peer);
    peer.send(ControlFrame.heartbeat(first.shipmentId()));

    assertThat(shipped(peer).shipmentId()).isNotEqualTo(first.shipmentId());
  }

  @Test
  void refusesAFrameOfTheShipmentBeforeInItsName() throws Exception {
    server = listen(RecordingHandler::resumable);
    RawPeer peer = peer();
    Accepted first = shipped(peer);
    peer.send(segment(3, first.shipmentId(), 500));

    ByteBuffer failed = peer.receive(FrameType.FAILED);
    assertThat(failed.getLong(8)).isEqualTo(first.shipmentId());
    assertThat(handlers.take().whenAborted()).isNotDone();
  }

  @Test
  void joinsNoOtherShipment() throws Exception {
    server = listen(RecordingHandler::resumable);
    RawPeer peer = peer();
    Accepted shipment = shipped(peer);
    peer.send(new Join(shipment.token(), Join.Purpose.RESUME).toFrame(shipment.shipmentId()));

    assertFault(peer.receiveFailure(), Fault.PROTOCOL_VIOLATION, "a JOIN frame");
  }

  @Test
  void tellsTheEndAgainUntilItsWorkerGoesOn() throws Exception {
    server = listen(RecordingHandler::resumable);
    RawPeer peer = peer();
    Accepted shipment = shipped(peer);
    assertThat(peer().join(shipment, Join.Purpose.RESUME).received().cardinality())
        .isGreaterThan(3);

    Accepted unused = peer.open(TRANSACTION);
    RawPeer late = peer();
    late.send(new Join(shipment.token(), Join.Purpose.RESUME).toFrame(shipment.shipmentId()));
    assertFault(late.receiveFailure(), Fault.EXPIRED, "is not known here");
  }

  @Test
  void isClosedWhenItWasIdleForTheTimeoutHeartbeatsOrNot() throws Exception {
    server =
        listen(
            RecordingHandler::resumable,
            OPTIONS.toBuilder().idleTimeout(Duration.ofMillis(300)).build());
    RawPeer peer = peer();
    Accepted shipment = shipped(peer);
    Waiting.Running<IOException> beating = Waiting.start(() -> beatUntilClosed(peer, shipment));

    assertThat(peer.isClosedByPeer()).isTrue();
    peer.close();
    assertThat(beating.get()).isNotNull();
  }

  private static IOException beatUntilClosed(RawPeer peer, Accepted shipment) {
    while (true) {
      try {
        peer.send(ControlFrame.heartbeat(shipment.shipmentId()));
        LockSupport.parkNanos(10_000_000);
      } catch (IOException closed) {
        return closed;
      }
    }
  }

  @Test
  void isClosedAtOnceByAServerThatIsClosed() throws Exception {
    server =
        listen(
            handler -> handler.resumable().committingLater(),
            OPTIONS.toBuilder().drainTimeout(Duration.ofSeconds(30)).build());
    RawPeer idle = peer();
    Accepted shipment = idle.open(TRANSACTION);
    sendAll(idle, shipment);
    RecordingHandler first = handlers.take();
    first.commit();
    idle.receive(FrameType.COMMITTED);
    RawPeer busy = peer();
    Accepted unused = busy.open(TRANSACTION);
    Waiting.Running<Boolean> closing =
        Waiting.start(
            () -> {
              server.close();
              return true;
            });

    assertThat(idle.isClosedByPeer()).isTrue();
    busy.reset();
    assertThat(closing.get()).isTrue();
  }
}
