package io.drayage.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.drayage.frame.Fault;
import io.drayage.frame.OpenRequest;
import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.frame.Token;
import io.drayage.testing.Waiting;
import io.drayage.testing.Waiting.Running;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests all transports that can resume a shipment; inherited by the tests of each. */
@Timeout(120)
public abstract class ResumeBattery extends TransportFixture {
  private static final int SEGMENTS = 60;
  private static final int BYTES = 50_000;
  private static final BitSet NOTHING = new BitSet();
  private static final TransportOptions BRIEF =
      OPTIONS.toBuilder().resumeWindow(Duration.ofMillis(100)).build();
  private static final TransportOptions IMPATIENT =
      OPTIONS.toBuilder().openTimeout(Duration.ofMillis(200)).build();

  private final ShipmentHeader header = header();
  private TransportServer server;
  private TcpWire wire;
  private TransportClient client;
  private RecordingHandler handler;

  private void start(TransportOptions options) throws ShipmentException {
    start(UnaryOperator.identity(), options);
  }

  private void start(UnaryOperator<RecordingHandler> setUp, TransportOptions options)
      throws ShipmentException {
    server = listen(each -> setUp.apply(each.resumable()), options);
    wire = closedAfterwards(new TcpWire(server.address()));
    client = closedAfterwards(transport().client(wire.address(), options));
  }

  private Shipment open() throws Exception {
    return closedAfterwards(client.open(header));
  }

  /** Opens a shipment whose first segments arrive. */
  private Shipment openAndSend(int segments) throws Exception {
    Shipment shipment = open();
    handler = handlers.take();
    sendSegments(shipment, 0, segments, BYTES, NOTHING);
    awaitSegments(handler, segments);
    return shipment;
  }

  /** Opens a shipment that is lost after its first segments. */
  private Shipment lostAfter(int segments) throws Exception {
    Shipment shipment = openAndSend(segments);
    wire.cut();
    assertThat(failureOf(shipment.committed()).fault()).isEqualTo(Fault.PEER_GONE);
    return shipment;
  }

  private Shipment resume(Shipment lost) throws Exception {
    return resume(client, lost.ticket().orElseThrow());
  }

  private Shipment resume(TransportClient over, ResumeTicket ticket) throws Exception {
    return closedAfterwards(over.resume(ticket, header));
  }

  private void finish(Shipment resumed) throws Exception {
    finish(resumed, resumed.received());
  }

  private void finish(Shipment shipment, BitSet received) throws Exception {
    sendSegments(shipment, 0, SEGMENTS, BYTES, received);
    Seal seal = seal(shipment);
    assertThat(shipment.held().get()).isEqualTo(seal);
    assertThat(shipment.committed().get()).isEqualTo(SEGMENTS);
  }

  private Seal seal(Shipment shipment) throws Exception {
    return sendSeal(shipment, SEGMENTS, BYTES);
  }

  private static void awaitSegments(RecordingHandler handler, int count) {
    Waiting.await(() -> handler.segmentCount() >= count);
  }

  @Test
  void goesOnAfterTheLossWithWhatIsMissing() throws Exception {
    start(OPTIONS);
    Shipment shipment = lostAfter(20);

    Shipment resumed = resume(shipment);
    assertThat(resumed.received().stream()).hasSize(20).allMatch(number -> number < 20);
    assertThat(resumed.id()).isEqualTo(shipment.id());
    finish(resumed);
    assertThat(handler.whenAborted()).isNotDone();
    assertThat(handlers).as("further shipments").isEmpty();
  }

  @Test
  void goesOnAfterTenLossesInTheMiddleOfFrames() throws Exception {
    start(OPTIONS);
    Shipment shipment = openAndSend(0);
    BitSet received = NOTHING;
    for (int cut = 1; cut <= 10; cut++) {
      int soFar = handler.segmentCount();
      Shipment current = shipment;
      BitSet there = received;
      Running<ShipmentException> sender = Waiting.start(() -> sendUntilCut(current, there));
      Waiting.await(() -> handler.segmentCount() >= Math.min(SEGMENTS, soFar + 3));
      wire.cut();
      assertThat(sender.get().fault()).isEqualTo(Fault.PEER_GONE);
      Shipment resumed = resume(shipment);
      shipment = resumed;
      received = resumed.received();
    }
    finish(shipment, received);
  }

  private ShipmentException sendUntilCut(Shipment shipment, BitSet received) throws Exception {
    try {
      sendSegments(shipment, 0, SEGMENTS, BYTES, received);
    } catch (ShipmentException e) {
      return e;
    }
    return failureOf(shipment.committed());
  }

  @Test
  void losesNoAnswerThatWasNotHeard() throws Exception {
    start(OPTIONS);
    Shipment shipment = openAndSend(SEGMENTS);
    wire.freeze(); // Neither the seal nor an answer arrives.
    seal(shipment);
    wire.cut();
    failureOf(shipment.committed());

    try (TransportClient direct = transport().client(server.address(), OPTIONS)) {
      Shipment first = resume(direct, shipment.ticket().orElseThrow());
      finish(first);
      first.close();

      // As if the answer had been lost.
      Shipment again = resume(direct, shipment.ticket().orElseThrow());
      assertThat(again.received().nextClearBit(0)).isGreaterThanOrEqualTo(SEGMENTS);
      seal(again);
      assertThat(again.committed().get()).isEqualTo(SEGMENTS);
      again.close();
    }
  }

  @Test
  void waitsForWhatIsUndecoded() throws Exception {
    start(RecordingHandler::holding, OPTIONS);
    Shipment shipment = lostAfter(5);

    Running<Shipment> resuming = Waiting.startAndAwaitParked(() -> resume(shipment));
    assertThat(resuming.result()).isNotDone();
    handler.release();

    assertThat(resuming.get().received().cardinality()).isEqualTo(5);
    finish(resuming.get());
  }

  @Test
  void goesOnAfterAnAttemptThatWasNotAnsweredInTime() throws Exception {
    start(RecordingHandler::holding, OPTIONS);
    Shipment shipment = lostAfter(5);
    client = closedAfterwards(transport().client(wire.address(), IMPATIENT));

    assertThat(failureToResume(shipment).fault()).isEqualTo(Fault.PEER_SILENT);
    handler.release();

    resumeUntilFinished(shipment);
    assertThat(handler.whenAborted()).isNotDone();
  }

  @Test
  void goesOnAfterAnOutageLongerThanAnAttempt() throws Exception {
    server = listen(RecordingHandler::resumable, OPTIONS);
    TcpWire narrow = closedAfterwards(new TcpWire(server.address(), 1));
    client = closedAfterwards(transport().client(narrow.address(), OPTIONS));
    Shipment shipment = openAndSend(5);
    client = closedAfterwards(transport().client(narrow.address(), IMPATIENT));
    narrow.beginOutage();
    narrow.cut();
    failureOf(shipment.committed());

    for (int attempt = 0; attempt < 5; attempt++) { // More than the backlog.
      assertThat(failureToResume(shipment).fault()).isIn(Fault.PEER_SILENT, Fault.PEER_GONE);
    }
    narrow.endOutage();

    resumeUntilFinished(shipment);
    assertThat(handler.whenAborted()).isNotDone();
  }

  /** Retries, because an earlier attempt may arrive late and displace the answered connection. */
  private void resumeUntilFinished(Shipment lost) throws Exception {
    while (true) {
      try {
        finish(resume(lost));
        return;
      } catch (ShipmentException e) {
        assertThat(e.fault()).isIn(Fault.PEER_GONE, Fault.PEER_SILENT);
      } catch (ExecutionException e) {
        assertThat(e).cause().extracting("fault").isIn(Fault.PEER_GONE, Fault.PEER_SILENT);
      }
    }
  }

  @Test
  void takesTheWordOfTheWorkerThatTheOldConnectionIsDead() throws Exception {
    start(OPTIONS);
    Shipment shipment = openAndSend(5);
    wire.freeze(); // Neither side sees an end.

    try (TransportClient direct = transport().client(server.address(), OPTIONS)) {
      Shipment resumed = resume(direct, shipment.ticket().orElseThrow());
      finish(resumed);
      resumed.close();
    }
  }

  @Test
  void goesOnForOneOfTwoThatResumeAtOnce() throws Exception {
    start(OPTIONS);
    Shipment shipment = lostAfter(5);

    List<Running<ShipmentException>> racers =
        List.of(Waiting.start(() -> race(shipment)), Waiting.start(() -> race(shipment)));
    for (Running<ShipmentException> racer : racers) {
      assertThat(racer.get().fault()).isIn(Fault.CANCELLED, Fault.PEER_GONE);
    }
    // A racer's request may arrive after its connection was cut, and displace the next.
    resumeUntilFinished(shipment);
    assertThat(handler.whenAborted()).isNotDone();
  }

  /** Resumes, and is displaced by the other racer, or displaces it and is cut. */
  private ShipmentException race(Shipment lost) throws Exception {
    Shipment resumed;
    try {
      resumed = client.resume(lost.ticket().orElseThrow(), header);
    } catch (ShipmentException e) {
      return e;
    }
    try {
      wire.cut();
      return failureOf(resumed.committed());
    } finally {
      resumed.close();
    }
  }

  @Test
  void expiresWhenNobodyComes() throws Exception {
    start(BRIEF.toBuilder().receiverBytes(5 << 20, 5 << 20).build());
    Shipment shipment = lostAfter(0);

    assertFault(handler.whenAborted().get(), Fault.PEER_GONE, "was not resumed within 100 ms");
    assertThat(failureToResume(shipment).fault()).isEqualTo(Fault.EXPIRED);
    Shipment next = open(); // The server has room for one.
    finish(next, NOTHING);
  }

  @Test
  void refusesWrongTokenAndTheTokenOfAnother() throws Exception {
    start(OPTIONS);
    Shipment shipment = open();
    Shipment other = open();
    ResumeTicket ticket = shipment.ticket().orElseThrow();
    Token wrong = new Token(ticket.token().high(), ticket.token().low() ^ 1);
    Token ofAnother = other.ticket().orElseThrow().token();

    for (Token token : List.of(wrong, ofAnother, Token.NONE)) {
      ResumeTicket forged =
          new ResumeTicket(ticket.shipmentId(), token, ticket.window(), ticket.wanted());
      ShipmentException failure =
          catchThrowableOfType(ShipmentException.class, () -> client.resume(forged, header));
      assertFault(failure, Fault.REFUSED, "the token is not that of shipment");
      assertThat(failure.getMessage()).doesNotContain("" + ticket.token().high());
    }
    finish(shipment, NOTHING);
    finish(other, NOTHING);
  }

  @Test
  void knowsNothingOfAShipmentThatNeverWas() throws Exception {
    start(OPTIONS);
    ResumeTicket forged =
        new ResumeTicket(1, new Token(1, 2), Duration.ofSeconds(1), OpenRequest.DEFAULT);

    ShipmentException failure =
        catchThrowableOfType(ShipmentException.class, () -> client.resume(forged, header));

    assertFault(failure, Fault.EXPIRED, "shipment 1 is not known here");
  }

  @Test
  void givesNoTicketIfTheServerKeepsNothing() throws Exception {
    start(OPTIONS.toBuilder().resumeWindow(Duration.ZERO).build());
    Shipment shipment = lostAfter(0);

    assertThat(shipment.ticket()).isEmpty();
    assertThat(handler.whenAborted().get().fault()).isEqualTo(Fault.PEER_GONE);
  }

  @Test
  void cancellationEndsTheShipmentAtOnce() throws Exception {
    TransportOptions four = OPTIONS.toBuilder().connections(4).build();
    server = listen(RecordingHandler::resumable, four);
    // Not over a wire: its connections end at both ends at once, and the frame may be lost.
    client = closedAfterwards(transport().client(server.address(), four));
    for (int round = 0; round < 20; round++) {
      Shipment shipment = openAndSend(0);
      sendSegments(shipment, 0, round, BYTES, NOTHING);

      shipment.cancel(new ShipmentException(Fault.CANCELLED, "changed my mind"));

      assertFault(handler.whenAborted().get(), Fault.CANCELLED, "changed my mind");
      assertThat(failureToResume(shipment).fault()).isEqualTo(Fault.EXPIRED);
    }
  }

  @Test
  void closedServerEndsWhatIsSuspended() throws Exception {
    start(OPTIONS.toBuilder().drainTimeout(Duration.ofSeconds(30)).build());
    Shipment unused = lostAfter(0);

    server.close();

    assertThat(handler.whenAborted().get().fault()).isIn(Fault.CANCELLED, Fault.PEER_GONE);
  }

  @Test
  void closedServerLetsShipmentsEnd() throws Exception {
    start(OPTIONS.toBuilder().drainTimeout(Duration.ofSeconds(30)).build());
    Shipment shipment = openAndSend(5);
    Running<Boolean> closing =
        Waiting.startAndAwaitParked(
            () -> {
              server.close();
              return true;
            });

    BitSet sent = new BitSet();
    sent.set(0, 5);
    finish(shipment, sent);

    assertThat(closing.get()).isTrue();
    assertThat(handler.whenAborted()).isNotDone();
  }

  @Test
  void shipsOverSeveralConnectionsInAnyOrder() throws Exception {
    start(OPTIONS.toBuilder().connections(4).build());
    for (int round = 0; round < 3; round++) {
      Shipment shipment = open();
      finish(shipment, NOTHING);
      shipment.close();
      assertThat(handlers.take().whenAborted()).isNotDone();
    }
  }

  @Test
  void lossOfOneOfSeveralConnectionsIsResumed() throws Exception {
    start(OPTIONS.toBuilder().connections(3).build());
    Shipment shipment = openAndSend(1);
    Waiting.await(() -> wire.connections() == 3);
    BitSet sent = new BitSet();
    sent.set(0);
    sendSegments(shipment, 0, 30, BYTES, sent);
    awaitSegments(handler, 30);

    wire.cutFirst(); // A later one may not exist yet, which does no harm.

    assertThat(failureOf(shipment.committed()).fault()).isEqualTo(Fault.PEER_GONE);
    Shipment resumed = resume(shipment);
    assertThat(resumed.received().cardinality()).isEqualTo(30);
    finish(resumed);
    assertThat(handler.whenAborted()).isNotDone();
  }

  private ShipmentException failureToResume(Shipment lost) {
    ResumeTicket ticket = lost.ticket().orElseThrow();
    return catchThrowableOfType(ShipmentException.class, () -> client.resume(ticket, header));
  }
}
