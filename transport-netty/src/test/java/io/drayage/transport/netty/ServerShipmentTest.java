package io.drayage.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.frame.Accepted;
import io.drayage.frame.Failure;
import io.drayage.frame.Fault;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.FrameType;
import io.drayage.frame.Join;
import io.drayage.frame.OpenRequest;
import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.memory.Lease;
import io.drayage.testing.WireFrames;
import io.drayage.transport.ShipmentHandler;
import io.drayage.transport.ShipmentReplies;
import io.drayage.transport.TransportServer;
import io.drayage.transport.netty.ServerShipmentState.Event;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every event in every state: frames to the worker, calls of the handler, answer to a resume. */
class ServerShipmentTest extends NettyFixture {
  private static final Seal SEAL = new Seal(0, 0);
  private static final String HELD = "HELD ";
  private static final String REACHED = "FAILED reached UNKNOWN ";
  private static final String EXPIRED = "FAILED shipment is not known here, or no longer UNKNOWN ";

  /** The results of a pair. {@code failed("probe")} ends a shipment that nothing else has ended. */
  private record Seen(String read, String heard, String resumed) {}

  private static final Seen PROBED =
      new Seen("FAILED probe NOT_APPLIED ", "", "FAILED probe NOT_APPLIED ");
  private static final Seen REFUSED = new Seen("FAILED event NOT_APPLIED ", "", "");

  private static final Map<ServerShipmentState, Map<Event, Seen>> EXPECTED =
      Map.of(
          ServerShipmentState.OPENING,
          Map.of(
              Event.FAILED, REFUSED,
              Event.FAULT, REFUSED,
              Event.GONE, new Seen("", "", "")),
          ServerShipmentState.RECEIVING,
          Map.of(
              Event.HELD, new Seen(HELD + PROBED.read, "", PROBED.resumed),
              Event.FAILED, new Seen(REFUSED.read, "", REFUSED.read),
              Event.FAULT, new Seen(REFUSED.read, "event", REFUSED.read),
              Event.GONE, new Seen("", "event", EXPIRED)),
          ServerShipmentState.RECEIVED,
          Map.of(
              Event.COMMITTED, new Seen(HELD + "COMMITTED ", "", "JOINED HELD COMMITTED "),
              Event.FAILED, new Seen(HELD + REFUSED.read, "", REFUSED.read),
              Event.FAULT,
                  new Seen(HELD + "FAILED event UNKNOWN ", "event", "FAILED event UNKNOWN "),
              Event.GONE, new Seen(HELD, "", PROBED.resumed)),
          ServerShipmentState.OVER,
          Map.of(Event.COMMITTED, new Seen(HELD + REACHED, "reached", "JOINED HELD COMMITTED ")));

  /** The results of the other pairs: the event changes nothing. */
  private static final Map<ServerShipmentState, Seen> UNCHANGED =
      Map.of(
          ServerShipmentState.OPENING,
          PROBED,
          ServerShipmentState.RECEIVING,
          PROBED,
          ServerShipmentState.RECEIVED,
          new Seen(HELD + PROBED.read, "", PROBED.resumed),
          ServerShipmentState.OVER,
          new Seen(HELD + REACHED, "reached", REACHED));

  private final CompletableFuture<ServerShipment> accepted = new CompletableFuture<>();
  private final List<String> heard = new CopyOnWriteArrayList<>();
  private volatile @Nullable Event whileOpening;
  private volatile boolean whole;
  private TransportServer server;
  private RawPeer peer;

  @BeforeEach
  void listen() throws IOException {
    server = listen(this::accept, OPTIONS);
    peer = peer(server);
  }

  private ShipmentHandler accept(ShipmentHeader header, ShipmentReplies replies) {
    ServerShipment shipment = (ServerShipment) replies;
    Event event = whileOpening;
    if (event != null) {
      raise(shipment, event);
    }
    accepted.complete(shipment);
    return new Handler();
  }

  private final class Handler implements ShipmentHandler {
    @Override
    public void onFrame(Lease frame) {
      frame.release();
    }

    @Override
    public boolean onAborted(ShipmentException cause) {
      heard.add(cause.getMessage());
      return !whole;
    }

    @Override
    public boolean isResumable() {
      return true;
    }

    @Override
    public CompletableFuture<BitSet> settled() {
      return CompletableFuture.completedFuture(new BitSet());
    }
  }

  private static ShipmentException because(String what) {
    return new ShipmentException(Fault.CANCELLED, what)
        .withOutcome(ShipmentException.Outcome.NOT_APPLIED);
  }

  private static void raise(ServerShipment shipment, Event event) {
    switch (event) {
      case ACCEPTED -> {
        // Happens once for each shipment, when its acceptor returns.
      }
      case HELD -> shipment.held(SEAL);
      case COMMITTED -> shipment.committed(9);
      case FAILED -> shipment.failed(because("event"));
      case FAULT -> shipment.shutDown(because("event"));
      case GONE -> shipment.onHome(() -> shipment.onGone(because("event")));
    }
  }

  static Stream<Arguments> everyPair() {
    return Arrays.stream(ServerShipmentState.values())
        .flatMap(state -> Arrays.stream(Event.values()).map(event -> Arguments.of(state, event)));
  }

  @ParameterizedTest
  @MethodSource("everyPair")
  void everyEventInEveryState(ServerShipmentState state, Event event) throws Exception {
    whileOpening = state == ServerShipmentState.OPENING ? event : null;
    peer.send(RawPeer.header(new UUID(1, 2)).toFrame());
    ServerShipment shipment = accepted.get();
    reach(shipment, state);
    if (state != ServerShipmentState.OPENING) {
      raise(shipment, event);
    }
    shipment.failed(because("probe"));
    CompletableFuture<Void> done = new CompletableFuture<>();
    shipment.onHome(() -> done.complete(null));
    done.get();
    if (state == ServerShipmentState.OPENING && event == Event.GONE) {
      peer.endOutput(); // As usual when this is the event: nobody else would close it.
    }

    List<ByteBuffer> read = readAll(peer);
    Seen expected = EXPECTED.get(state).getOrDefault(event, UNCHANGED.get(state));
    boolean wasAccepted = !read.isEmpty() && FrameHeader.type(read.get(0)) == FrameType.ACCEPT;
    assertThat(said(read.subList(wasAccepted ? 1 : 0, read.size())))
        .as("what the worker reads")
        .isEqualTo(expected.read);
    assertThat(String.join(" ", heard)).as("what the handler hears").isEqualTo(expected.heard);
    if (wasAccepted) {
      Accepted answer = Accepted.ofPayload(FrameHeader.verify(read.get(0)));
      assertThat(resumed(answer)).as("what a resume says").isEqualTo(expected.resumed);
    }
  }

  private void reach(ServerShipment shipment, ServerShipmentState state) {
    if (state == ServerShipmentState.RECEIVED || state == ServerShipmentState.OVER) {
      whole = true;
      shipment.held(SEAL);
    }
    if (state == ServerShipmentState.OVER) {
      shipment.shutDown(because("reached"));
    }
  }

  @Test
  void remembersACommitWhoseSealCameWhenItWasOver() throws Exception {
    Accepted answer = peer.open(new UUID(1, 2));
    ServerShipment shipment = accepted.get();
    whole = true;
    shipment.shutDown(because("reached"));
    shipment.held(SEAL);
    shipment.committed(9);
    assertThat(said(readAll(peer))).isEqualTo(REACHED);
    assertThat(resumed(answer)).isEqualTo("JOINED HELD COMMITTED ");
  }

  @Test
  void aConnectionThatJoinsWhenTheCargoIsReceivedMaySendNoPartOfIt() throws Exception {
    Accepted answer = peer.open(new UUID(1, 2), new OpenRequest(2, 0, 0));
    accepted.get().held(SEAL);
    peer.receive(FrameType.HELD);
    try (RawPeer late = new RawPeer(server.address())) {
      assertThat(late.join(answer, Join.Purpose.STRIPE).received().isEmpty()).isTrue();
      late.send(WireFrames.of(FrameType.SEGMENT, answer.shipmentId()));
      assertThat(late.receiveFailure()).hasMessageContaining("arrived after the whole cargo");
    }
  }

  /** Reads up to the last answer, or until the connection is closed. */
  private static List<ByteBuffer> readAll(RawPeer from) throws IOException {
    List<ByteBuffer> frames = new ArrayList<>();
    FrameType type;
    do {
      try {
        frames.add(from.receive());
      } catch (EOFException closed) {
        return frames;
      }
      type = FrameHeader.type(frames.get(frames.size() - 1));
    } while (type != FrameType.FAILED && type != FrameType.COMMITTED);
    return frames;
  }

  private static String said(List<ByteBuffer> frames) throws IOException {
    StringBuilder said = new StringBuilder();
    for (ByteBuffer frame : frames) {
      FrameType type = FrameHeader.type(frame);
      if (type == FrameType.CREDIT || type == FrameType.HEARTBEAT) {
        continue;
      }
      said.append(type).append(' ');
      if (type == FrameType.FAILED) {
        ShipmentException failure = Failure.ofPayload(FrameHeader.verify(frame));
        said.append(failure.getMessage().replaceAll("shipment \\d+", "shipment"))
            .append(' ')
            .append(failure.outcome())
            .append(' ');
      }
    }
    return said.toString();
  }

  private String resumed(Accepted shipment) throws IOException {
    try (RawPeer later = new RawPeer(server.address())) {
      later.askToJoin(shipment, Join.Purpose.RESUME);
      return said(readAll(later));
    }
  }
}
