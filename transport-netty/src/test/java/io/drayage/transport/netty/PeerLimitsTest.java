package io.drayage.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.frame.Accepted;
import io.drayage.frame.Fault;
import io.drayage.frame.FrameType;
import io.drayage.frame.Join;
import io.drayage.frame.OpenRequest;
import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentException;
import io.drayage.internal.Waits;
import io.drayage.memory.Lease;
import io.drayage.testing.Waiting;
import io.drayage.transport.PeerLimits;
import io.drayage.transport.RecordingHandler;
import io.drayage.transport.Shipment;
import io.drayage.transport.ShipmentHandler;
import io.drayage.transport.TransportOptions;
import io.drayage.transport.TransportServer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Limits of a server for its peers, at the limit and one beyond. */
@Timeout(300)
class PeerLimitsTest extends NettyFixture {
  private static final long CREDIT = 5 << 20;

  private TransportServer server(PeerLimits limits) throws IOException {
    return server(OPTIONS.toBuilder().peerLimits(limits).build());
  }

  private TransportServer server(TransportOptions options) throws IOException {
    return listen(RecordingHandler::resumable, options);
  }

  private Accepted opened(RawPeer peer) throws IOException {
    return peer.open(TRANSACTION);
  }

  private ShipmentException refusal(RawPeer peer) throws IOException {
    peer.send(RawPeer.header(TRANSACTION).toFrame());
    return peer.receiveFailure();
  }

  @ParameterizedTest
  @CsvSource({
    "100, 2, '2 connections from /127.0.0.1 already, the limit is 2'",
    "2, 100, '2 connections already, the limit is 2'",
  })
  void refusesTheThirdConnection(int all, int ofPeer, String message) throws Exception {
    TransportServer server = server(new PeerLimits(all, ofPeer, 100, 100 << 20));
    RawPeer first = peer(server);
    opened(first);
    opened(peer(server));
    RawPeer third = peer(server);

    assertFault(refusal(third), Fault.BUSY, message);
    assertThat(third.isClosedByPeer()).isTrue();
    first.reset();
    Waiting.await(() -> RawPeer.opens(server));
  }

  @Test
  void refusesShipmentsBeyondTheLimitAlsoWhileOneIsSuspended() throws Exception {
    PeerLimits limits = new PeerLimits(100, 100, 1, 100 << 20);
    TransportServer server =
        server(
            OPTIONS.toBuilder().peerLimits(limits).resumeWindow(Duration.ofMillis(1_500)).build());
    RawPeer first = peer(server);
    opened(first);

    assertFault(refusal(peer(server)), Fault.BUSY, "1 shipments from /127.0.0.1 already");
    first.reset();
    assertFault(refusal(peer(server)), Fault.BUSY, "1 shipments from /127.0.0.1 already");
    Waiting.await(() -> RawPeer.opens(server));
  }

  @Test
  void suspendedShipmentLeavesItsCreditToOthersAndComesBackWhenTheyHaveEnded() throws Exception {
    TransportServer server = server(OPTIONS.toBuilder().receiverBytes(CREDIT, CREDIT).build());
    RawPeer first = peer(server);
    Accepted shipment = opened(first);
    assertFault(refusal(peer(server)), Fault.BUSY, "no room for a window of 5,242,880 bytes");
    first.reset();
    List<RawPeer> others = new ArrayList<>();
    Waiting.await(() -> opens(server, others));

    RawPeer early = peer(server);
    early.askToJoin(shipment, Join.Purpose.RESUME);
    for (RawPeer other : others) {
      other.reset();
    }

    assertThat(early.receive(FrameType.JOINED)).isNotNull();
  }

  private boolean opens(TransportServer server, List<RawPeer> opened) {
    try {
      RawPeer peer = peer(server);
      opened(peer);
      opened.add(peer);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** Returns a worker that waits for room. */
  private RawPeer waiting(TransportServer server, int creditBytes) throws IOException {
    RawPeer peer = peer(server);
    ask(peer, creditBytes, 30_000);
    assertThat(peer.receive(FrameType.HEARTBEAT)).isNotNull();
    return peer;
  }

  private static void ask(RawPeer peer, int creditBytes, int patienceMs) throws IOException {
    OpenRequest wanted = new OpenRequest(1, creditBytes, patienceMs);
    peer.send(RawPeer.header(TRANSACTION).toFrame(wanted));
  }

  @Test
  void manySmallShipmentsHaveRoomWhereOneLargeOneHas() throws Exception {
    TransportServer server = server(new PeerLimits(100, 100, 100, CREDIT));
    for (int i = 0; i < 50; i++) {
      RawPeer peer = peer(server);
      ask(peer, 4_096, 0);
      assertThat(peer.accepted().creditBytes()).isEqualTo(4_096);
    }
    assertFault(refusal(peer(server)), Fault.BUSY, "/127.0.0.1 uses 204,800");
  }

  @Test
  void waitsForRoomInTheOrderOfTheRequests() throws Exception {
    TransportServer server = server(new PeerLimits(100, 100, 100, CREDIT));
    RawPeer first = peer(server);
    ask(first, 4_096, 0);
    Accepted unused = first.accepted();
    RawPeer large = waiting(server, 0);
    RawPeer small = waiting(server, 4_096);

    first.cancel(0);
    assertThat(large.accepted().creditBytes()).isEqualTo(CREDIT);
    large.cancel(0);
    assertThat(small.accepted().creditBytes()).isEqualTo(4_096);
  }

  @Test
  void aSmallCargoMayComeBeforeItsTurn() throws Exception {
    TransportServer server = server(new PeerLimits(100, 100, 100, CREDIT));
    RawPeer large = peer(server);
    Accepted unused = opened(large);
    RawPeer small = waiting(server, 4_096);
    for (int number = 0; number < 3; number++) {
      small.send(segment(number, 0, 500));
    }
    small.send(sealOf(3, 0, 500).toFrame(FrameType.SEAL, 0));
    assertFault(refusal(peer(server)), Fault.BUSY, "/127.0.0.1 uses 5,242,880");

    large.cancel(0);

    assertThat(small.accepted().creditBytes()).isEqualTo(4_096);
    assertThat(small.receive(FrameType.HELD)).isNotNull();
    assertThat(small.receive(FrameType.COMMITTED)).isNotNull();
  }

  @ParameterizedTest
  @CsvSource({
    "4096, 5, 'exceeds the credit that its request wanted by 1,024'",
    "16385, 1, 'a SEGMENT frame came at a wrong time'",
    "0, 1, 'a SEGMENT frame came at a wrong time'",
  })
  void moreMayNotComeBeforeItsTurn(int creditBytes, int frames, String message) throws Exception {
    TransportServer server =
        server(
            OPTIONS.toBuilder()
                .peerLimits(new PeerLimits(100, 100, 100, CREDIT))
                .idleTimeout(Duration.ofSeconds(3))
                .build());
    Accepted unused = opened(peer(server));
    RawPeer waiting = waiting(server, creditBytes);
    for (int number = 0; number < frames; number++) {
      waiting.send(segment(number, 0, 500));
    }

    assertThat(waiting.receiveFailure()).hasMessageContaining(message);
    assertThat(waiting.isClosedByPeer()).isTrue();
  }

  @Test
  void onlyASmallCargoNeedsNoNumber() throws Exception {
    TransportServer server = server(new PeerLimits(100, 100, 100, CREDIT));
    RawPeer peer = peer(server);
    Accepted unused = peer.open(TRANSACTION, new OpenRequest(1, 16_385, 0));
    peer.send(segment(0, 0, 500));

    assertFault(peer.receiveFailure(), Fault.PROTOCOL_VIOLATION, "a frame of shipment 0 came in");
  }

  @Test
  void whoeverDiesWhileItWaitsLeavesItsTurnToOthers() throws Exception {
    TransportServer server = server(new PeerLimits(100, 3, 1, 100 << 20));
    RawPeer first = peer(server);
    opened(first);
    RawPeer dying = waiting(server, 0);
    RawPeer other = waiting(server, 0);

    dying.reset();
    // One of three connections is free again: the server has noticed.
    Waiting.await(() -> connects(server));
    first.cancel(0);

    assertThat(other.accepted().creditBytes()).isEqualTo(CREDIT);
  }

  /** The end of the worker is in the socket, unread, when the worker's turn comes. */
  @Test
  void whoeverDiesBeforeItsTurnKeepsNoPlaceForTheResumeWindow() throws Exception {
    int loops = Math.min(NettyServer.MAX_EVENT_LOOPS, Runtime.getRuntime().availableProcessors());
    CountDownLatch standing = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    CountDownLatch freed = new CountDownLatch(1);
    AtomicInteger accepted = new AtomicInteger();
    TransportServer server =
        listen(
            (header, replies) -> {
              accepted.incrementAndGet();
              return new Standing(standing, goOn, freed);
            },
            OPTIONS.toBuilder()
                .peerLimits(new PeerLimits(100, 100, loops, 100 << 20))
                .resumeWindow(Duration.ofMinutes(2))
                .build());
    RawPeer first = peer(server);
    ask(first, 4_096, 0);
    long shipmentId = first.accepted().shipmentId();
    RawPeer last = first;
    for (int i = 1; i < loops; i++) { // One on each loop.
      last = peer(server);
      ask(last, 4_096, 0);
      Accepted unused = last.accepted();
    }
    RawPeer dying = waiting(server, 4_096); // On the loop of the first one.
    RawPeer other = waiting(server, 4_096);

    first.send(frame(FrameType.SEGMENT, shipmentId, 100, new Random(1)));
    standing.await();
    last.cancel(0);
    if (loops > 1) {
      freed.await();
    }
    dying.reset();
    goOn.countDown();

    assertThat(other.accepted().creditBytes()).isEqualTo(4_096);
    assertThat(accepted).hasValue(loops + 1);
  }

  /** Blocks its event loop at its first frame. Resumable. */
  private record Standing(CountDownLatch standing, CountDownLatch goOn, CountDownLatch freed)
      implements ShipmentHandler {
    @Override
    public void onFrame(Lease frame) {
      frame.release();
      standing.countDown();
      Waits.uninterrupted(goOn::await);
    }

    @Override
    public boolean onAborted(ShipmentException cause) {
      freed.countDown();
      return true;
    }

    @Override
    public boolean isResumable() {
      return true;
    }
  }

  /** Checks whether the server has room for one more connection, though not for a shipment. */
  private boolean connects(TransportServer server) {
    try (RawPeer probe = new RawPeer(server.address())) {
      return refusal(probe).getMessage().startsWith("1 shipments");
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void namesTheLimitWhenThePatienceIsOver() throws Exception {
    TransportServer server = server(new PeerLimits(100, 100, 1, 100 << 20));
    opened(peer(server));
    RawPeer second = peer(server);
    ask(second, 0, 50);

    assertFault(
        second.receiveFailure(),
        Fault.BUSY,
        "the limit is 1 (PeerLimits.maxShipmentsPerPeer), after a wait of 50 ms in this attempt");
  }

  @Test
  void tellsThoseWhoWaitThatItShutsDown() throws Exception {
    TransportServer server = server(new PeerLimits(100, 100, 1, 100 << 20));
    opened(peer(server));
    RawPeer second = waiting(server, 0);

    server.close();

    assertFault(second.receiveFailure(), Fault.CANCELLED, "the transactor is shutting down");
  }

  @Test
  void creditOfACargoThatWaitsForItsCommitServesOthers() throws Exception {
    TransportServer server =
        listen(
            RecordingHandler::committingLater,
            OPTIONS.toBuilder().peerLimits(new PeerLimits(100, 100, 100, CREDIT)).build());
    try (Shipment shipment = clientOf(server).open(header())) {
      send(shipment, lease(segment(0, shipment.id(), 1_000)));
      Seal seal = sendSeal(shipment, 1, 1_000);
      assertThat(shipment.held().get()).isEqualTo(seal);

      Waiting.await(() -> RawPeer.opens(server));
      handlers.take().commit();
      assertThat(shipment.committed().get()).isEqualTo(1);
    }
  }

  @Test
  void grantsOneConnectionIfThereIsNoRoomForMore() throws Exception {
    TransportServer server = server(new PeerLimits(100, 100, 100, CREDIT));
    RawPeer peer = peer(server);

    Accepted answer = peer.open(TRANSACTION, new OpenRequest(4, 0, 0));

    assertThat(answer.maxConnections()).isEqualTo(1);
  }

  @Test
  @Tag("ci")
  void aThousandIdleConnectionsHoldNobodyUpAndAreClosed() throws Exception {
    TransportServer server =
        server(
            OPTIONS.toBuilder()
                .openTimeout(Duration.ofMillis(1_500))
                .peerLimits(new PeerLimits(2_000, 2_000, 10, 100 << 20))
                .build());
    List<RawPeer> idle = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      idle.add(peer(server));
    }
    assertThat(DirectMemory.activeBuffers()).isZero();
    try (Shipment shipment = clientOf(server).open(header())) {
      send(shipment, lease(segment(0, shipment.id(), 50_000)));
      sendSeal(shipment, 1, 50_000);
      assertThat(shipment.committed().get()).isEqualTo(1);
    }
    for (RawPeer peer : idle) {
      assertThat(peer.isClosedByPeer()).isTrue();
    }
  }

  @Test
  void tellsASilentPeerWhyAlthoughItSpeaksAgain() throws Exception {
    TransportServer server =
        listen(
            UnaryOperator.identity(),
            OPTIONS.toBuilder().idleTimeout(Duration.ofSeconds(1)).build());
    RawPeer peer = peer(server);
    long id = opened(peer).shipmentId();
    assertThat(handlers.take().whenAborted().get().fault()).isEqualTo(Fault.PEER_SILENT);

    for (int i = 0; i < 100; i++) {
      peer.send(frame(FrameType.SEGMENT, id, 100_000, new Random(1)));
    }

    assertFault(peer.receiveFailure(), Fault.PEER_SILENT, "was silent for 1,000 ms");
    assertThat(peer.isClosedByPeer()).isTrue();
  }

  @Test
  @Tag("ci")
  void cutsAPeerOffThatSendsAFrameDropByDrop() throws Exception {
    TransportServer server = server(OPTIONS.toBuilder().idleTimeout(Duration.ofSeconds(1)).build());
    RawPeer peer = peer(server);
    long id = opened(peer).shipmentId();
    byte[] frame = frame(FrameType.SEGMENT, id, 100_000, new Random(1)).array();
    Waiting.start(
        () -> {
          for (int i = 0; i < frame.length; i++) {
            peer.send(frame, i, 1);
            Thread.sleep(20); // The pace of the drops is tested.
          }
          return true;
        });

    assertFault(peer.receiveFailure(), Fault.CANCELLED, "was not complete after 4,000 ms");
    assertThat(handlers.take().whenAborted().get().fault()).isEqualTo(Fault.CANCELLED);
  }

  @Test
  void failsAShipmentThatOnlySaysThatItLives() throws Exception {
    TransportServer server =
        server(OPTIONS.toBuilder().stallTimeout(Duration.ofMillis(300)).build());
    Shipment shipment = closedAfterwards(clientOf(server).open(header()));

    assertFault(
        failureOf(shipment.held()), Fault.CANCELLED, "made no progress for 300 ms although");
    assertThat(handlers.take().whenAborted().get().fault()).isEqualTo(Fault.CANCELLED);
  }
}
