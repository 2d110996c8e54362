package io.drayage.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.frame.Accepted;
import io.drayage.frame.ControlFrame;
import io.drayage.frame.Fault;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.FrameType;
import io.drayage.frame.Join;
import io.drayage.frame.Joined;
import io.drayage.frame.OpenRequest;
import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.Token;
import io.drayage.testing.Waiting;
import io.drayage.testing.WireFrames;
import io.drayage.transport.RecordingHandler;
import io.drayage.transport.ResumeTicket;
import io.drayage.transport.TransportServer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A worker whose connection is cut, in every state of the protocol. */
@Timeout(300)
class CutConnectionTest extends NettyFixture {
  private static final int SEGMENTS = 4;
  private static final int BYTES = 10_000;

  private TransportServer server() throws IOException {
    return listen(RecordingHandler::resumable);
  }

  private void sendAll(RawPeer peer, Accepted shipment, int from) throws IOException {
    for (int number = from; number < SEGMENTS; number++) {
      peer.send(segment(number, shipment.shipmentId(), BYTES));
    }
  }

  private Seal seal(Accepted shipment) {
    return sealOf(SEGMENTS, shipment.shipmentId(), BYTES);
  }

  private void sendSeal(RawPeer peer, Accepted shipment) throws IOException {
    peer.send(seal(shipment).toFrame(FrameType.SEAL, shipment.shipmentId()));
  }

  private void assertHeldAndCommitted(RawPeer peer, Accepted shipment) throws IOException {
    assertThat(WireFrames.seal(peer.receive(FrameType.HELD))).isEqualTo(seal(shipment));
    ByteBuffer committed = FrameHeader.verify(peer.receive(FrameType.COMMITTED));
    assertThat(ControlFrame.number(committed)).isEqualTo(SEGMENTS);
  }

  /** Opens a shipment whose whole cargo is held. */
  private Accepted held(RawPeer peer) throws IOException {
    Accepted shipment = peer.open(TRANSACTION);
    sendAll(peer, shipment, 0);
    sendSeal(peer, shipment);
    peer.receive(FrameType.HELD);
    return shipment;
  }

  private void assertGoesOn(TransportServer server, Accepted shipment, int received)
      throws IOException {
    RawPeer second = peer(server);
    Joined joined = second.join(shipment, Join.Purpose.RESUME);
    assertThat(joined.received().cardinality()).isEqualTo(received);
    sendAll(second, shipment, received);
    sendSeal(second, shipment);
    assertHeldAndCommitted(second, shipment);
  }

  @Test
  void inTheMiddleOfAFrame() throws Exception {
    TransportServer server = server();
    for (int cut : new int[] {1, FrameHeader.BYTES - 1, FrameHeader.BYTES, BYTES}) {
      RawPeer first = peer(server);
      Accepted shipment = first.open(TRANSACTION);
      RecordingHandler handler = handlers.take();
      first.send(segment(0, shipment.shipmentId(), BYTES));
      Waiting.await(() -> handler.segmentCount() == 1);
      first.send(segment(1, shipment.shipmentId(), BYTES).array(), 0, cut);
      first.reset();

      assertGoesOn(server, shipment, 1);
    }
  }

  @Test
  void betweenHeldAndCommitted() throws Exception {
    TransportServer server = listen(handler -> handler.resumable().committingLater());
    RawPeer first = peer(server);
    Accepted shipment = held(first);
    RecordingHandler handler = handlers.take();
    first.reset();

    RawPeer second = peer(server);
    second.join(shipment, Join.Purpose.RESUME);
    second.receive(FrameType.HELD);
    RawPeer third = peer(server);
    third.join(shipment, Join.Purpose.RESUME);
    assertThat(second.isClosedByPeer()).isTrue();
    handler.commit();
    assertHeldAndCommitted(third, shipment);
  }

  @Test
  void whileItIsSuspendedAndTheCommitComes() throws Exception {
    TransportServer server = listen(handler -> handler.resumable().committingLater());
    RawPeer first = peer(server);
    Accepted shipment = held(first);
    RecordingHandler handler = handlers.take();
    first.reset();
    handler.commit();

    RawPeer second = peer(server);
    second.join(shipment, Join.Purpose.RESUME);
    assertHeldAndCommitted(second, shipment);
  }

  @Test
  void givenUpByItsWorkerOverAConnectionOfItsOwn() throws Exception {
    TransportServer server = server();
    RawPeer first = peer(server);
    Accepted shipment = first.open(TRANSACTION);
    first.reset();
    ResumeTicket ticket =
        new ResumeTicket(
            shipment.shipmentId(), shipment.token(), Duration.ofSeconds(30), OpenRequest.DEFAULT);

    clientOf(server).abandon(ticket, new ShipmentException(Fault.CANCELLED, "no more"));

    assertFault(handlers.take().whenAborted().get(), Fault.CANCELLED, "no more");
  }

  @Test
  void givenUpWithTheWrongTokenGoesOn() throws Exception {
    TransportServer server = server();
    RawPeer first = peer(server);
    Accepted shipment = first.open(TRANSACTION);
    RawPeer forger = peer(server);
    forger.send(new Join(new Token(1, 2), Join.Purpose.RESUME).toFrame(shipment.shipmentId()));
    assertThat(forger.receiveFailure().fault()).isEqualTo(Fault.REFUSED);
    forger.cancel(shipment.shipmentId());

    sendAll(first, shipment, 0);
    sendSeal(first, shipment);
    assertHeldAndCommitted(first, shipment);
  }

  @Test
  void furtherStripesAreRefused() throws Exception {
    TransportServer server = server();
    RawPeer first = peer(server);
    Accepted shipment = first.open(TRANSACTION);
    RawPeer stripe = peer(server);
    stripe.askToJoin(shipment, Join.Purpose.STRIPE);

    assertFault(stripe.receiveFailure(), Fault.REFUSED, "has 1 connections of 1");
    sendAll(first, shipment, 0);
    sendSeal(first, shipment);
    assertHeldAndCommitted(first, shipment);
  }

  @Test
  void stripeThatComesAfterTheEndIsNotToldTheAnswers() throws Exception {
    TransportServer server = server();
    RawPeer first = peer(server);
    Accepted shipment = first.open(TRANSACTION, new OpenRequest(2, 0, 0));
    sendAll(first, shipment, 0);
    sendSeal(first, shipment);
    assertHeldAndCommitted(first, shipment);

    RawPeer stripe = peer(server);
    stripe.askToJoin(shipment, Join.Purpose.STRIPE);

    assertThat(stripe.receiveFailure().fault()).isEqualTo(Fault.REFUSED);
  }
}
