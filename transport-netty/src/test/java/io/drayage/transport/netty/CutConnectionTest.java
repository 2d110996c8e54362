package io.drayage.transport.netty;

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
import io.drayage.frame.Token;
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

  private Seal seal(Accepted shipment) {
    return sealOf(SEGMENTS, shipment.shipmentId(), BYTES);
  }

  private void assertHeldAndCommitted(RawPeer peer, Accepted shipment) throws IOException {
    assertThat(WireFrames.seal(peer.receive(FrameType.HELD))).isEqualTo(seal(shipment));
    ByteBuffer committed = FrameHeader.verify(peer.receive(FrameType.COMMITTED));
    assertThat(ControlFrame.number(committed)).isEqualTo(SEGMENTS);
  }

  /** Opens a shipment whose whole cargo is held. */
  private Accepted held(RawPeer peer) throws IOException {
    Accepted shipment = peer.open(TRANSACTION);
    sendAll(peer, shipment, SEGMENTS, BYTES);
    peer.receive(FrameType.HELD);
    return shipment;
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

    sendAll(first, shipment, SEGMENTS, BYTES);
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
    sendAll(first, shipment, SEGMENTS, BYTES);
    assertHeldAndCommitted(first, shipment);
  }

  @Test
  void stripeThatComesAfterTheEndIsNotToldTheAnswers() throws Exception {
    TransportServer server = server();
    RawPeer first = peer(server);
    Accepted shipment = first.open(TRANSACTION, new OpenRequest(2, 0, 0));
    sendAll(first, shipment, SEGMENTS, BYTES);
    assertHeldAndCommitted(first, shipment);

    RawPeer stripe = peer(server);
    stripe.askToJoin(shipment, Join.Purpose.STRIPE);

    assertThat(stripe.receiveFailure().fault()).isEqualTo(Fault.REFUSED);
  }
}
