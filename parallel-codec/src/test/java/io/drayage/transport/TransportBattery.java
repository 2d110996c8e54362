package io.drayage.transport;

import static io.drayage.internal.Texts.format;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.frame.Fault;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.FrameType;
import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.StoreShare;
import io.drayage.testing.Refusals;
import io.drayage.testing.Waiting;
import io.drayage.testing.Waiting.Running;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests all transports; inherited by the tests of each. */
@Timeout(120)
public abstract class TransportBattery extends TransportFixture {
  /** Bytes that a sender may hand over beyond the receiver's credit: buffers on the way. */
  protected long maxBufferedBytes() {
    return 32 << 20;
  }

  private Shipment openTo(UnaryOperator<RecordingHandler> setUp) throws Exception {
    return closedAfterwards(clientOf(listen(setUp)).open(header()));
  }

  @Test
  void shipsFramesInTheirOrderAndIsToldOfHeldAndCommitted() throws Exception {
    Shipment shipment = openTo(UnaryOperator.identity());
    Seal seal = sendAll(shipment, 300, 100_000, new Random(2));

    assertThat(shipment.held().get()).isEqualTo(seal);
    assertThat(shipment.committed().get()).isEqualTo(300);
    shipment.close();
    assertThat(handlers.take().whenAborted()).isNotDone();
  }

  @Test
  void tellsTheWorkerOfTheStore() throws Exception {
    StoreShare store = new StoreShare(1L << 40, 1 << 30, 7);
    assertThat(openTo(handler -> handler.storing(store)).store()).isEqualTo(store);
  }

  @Test
  void shipsTheLargestFrame() throws Exception {
    Shipment shipment = openTo(UnaryOperator.identity());
    sendAll(shipment, 3, FrameHeader.MAX_PAYLOAD_BYTES, new Random(3));
    assertThat(shipment.committed().get()).isEqualTo(3);
  }

  @Test
  void shipsManyCargoesOneAfterAnotherAndFourAtOnce() throws Exception {
    TransportServer server = listen(UnaryOperator.identity());
    TransportClient client = clientOf(server);
    for (int round = 0; round < 8; round++) {
      assertThat(ship(client, round)).isEqualTo(40);
    }
    List<Running<Long>> workers = new ArrayList<>();
    for (int worker = 0; worker < 4; worker++) {
      int seed = 100 + worker;
      workers.add(Waiting.start(() -> ship(client, seed)));
    }
    for (Running<Long> committed : workers) {
      assertThat(committed.get()).isEqualTo(40);
    }
  }

  private long ship(TransportClient client, int seed) throws Exception {
    try (Shipment shipment = client.open(header())) {
      sendAll(shipment, 40, 200_000, new Random(seed));
      return shipment.committed().get();
    }
  }

  /** The request to the closed server makes a connection, which may fail only as PEER_GONE. */
  @Test
  void refusedRequestSaysWhyAndSoDoesOneToAServerThatIsGone() throws Exception {
    TransportServer server =
        listen(
            (header, replies) -> {
              throw new ShipmentException(Fault.REFUSED, "no room for " + header.worker());
            },
            OPTIONS);
    TransportClient client = clientOf(server);
    Refusals.assertFails(() -> client.open(header()), Fault.REFUSED, "no room for worker-1.test");

    server.close();

    Refusals.assertFails(() -> client.open(header()), Fault.PEER_GONE, "");
  }

  @ParameterizedTest
  @MethodSource("badFrames")
  void badFrameIsAnsweredByName(UnaryOperator<ByteBuffer> spoil, Fault fault, String message)
      throws Exception {
    Shipment shipment = openTo(UnaryOperator.identity());
    ByteBuffer frame = frame(FrameType.SEGMENT, shipment.id(), 100, new Random(4));
    send(shipment, lease(spoil.apply(frame)));

    assertFault(failureOf(shipment.held()), fault, message);
    assertFault(failureOf(shipment.committed()), fault, message);
    assertFault(handlers.take().whenAborted().get(), fault, message);
  }

  protected static List<Arguments> badFrames() {
    int limit = FrameHeader.MAX_PAYLOAD_BYTES;
    return List.of(
        bad(frame -> frame.putInt(0, 0x12345678), Fault.BAD_FRAME, "0x12345678"),
        bad(frame -> frame.putInt(16, limit + 1), Fault.LIMIT, format("the limit of %,d", limit)),
        bad(frame -> frame.putLong(8, 77), Fault.PROTOCOL_VIOLATION, "77"));
  }

  private static Arguments bad(UnaryOperator<ByteBuffer> spoil, Fault fault, String message) {
    return Arguments.of(spoil, fault, message);
  }

  @Test
  void changedByteIsAnsweredByNameBecauseTheHandlerVerifies() throws Exception {
    Shipment shipment = openTo(UnaryOperator.identity());
    ByteBuffer frame = frame(FrameType.SEGMENT, shipment.id(), 5_000, new Random(4));
    frame.put(999, (byte) ~frame.get(999));

    send(shipment, lease(frame));

    assertFault(failureOf(shipment.held()), Fault.CHECKSUM, "SEGMENT frame of 5,000 bytes");
  }

  @Test
  void handlerThatFailsEndsTheShipmentForTheWorker() throws Exception {
    ShipmentException cause = new ShipmentException(Fault.DECODE, "cannot read that");
    Shipment shipment = openTo(handler -> handler.failingWith(cause));

    assertFault(sendUntilFailure(shipment), Fault.DECODE, "cannot read that");
    assertFault(failureOf(shipment.held()), Fault.DECODE, "cannot read that");
    assertFault(failureOf(shipment.committed()), Fault.DECODE, "cannot read that");
    assertThatThrownBy(shipment::awaitReady).hasMessageContaining("cannot read that");
    assertThat(handlers.take().whenAborted()).isNotDone();
  }

  @Test
  void cargoThatIsHeldMayStillBeRejected() throws Exception {
    ShipmentException cause = new ShipmentException(Fault.REJECTED, "no such column");
    Shipment shipment = openTo(handler -> handler.failingAfterHeldWith(cause));

    Seal seal = sendAll(shipment, 5, 1_000, new Random(5));

    assertThat(shipment.held().get()).isEqualTo(seal);
    assertFault(failureOf(shipment.committed()), Fault.REJECTED, "no such column");
  }

  @Test
  void cancelledShipmentTellsTheHandlerWhy() throws Exception {
    Shipment shipment = openTo(UnaryOperator.identity());
    send(shipment, lease(frame(FrameType.SEGMENT, shipment.id(), 100, new Random(6))));
    RecordingHandler handler = handlers.take();
    handler.awaitFirstFrame();

    shipment.cancel(new ShipmentException(Fault.CANCELLED, "changed my mind"));

    assertFault(failureOf(shipment.held()), Fault.CANCELLED, "changed my mind");
    assertFault(handler.whenAborted().get(), Fault.CANCELLED, "changed my mind");
    assertFault(sendUntilFailure(shipment), Fault.CANCELLED, "changed my mind");
  }

  @Test
  void stalledShipmentCanBeCancelled() throws Exception {
    Shipment shipment = openTo(RecordingHandler::holding);
    StallingSender sender = new StallingSender(shipment);
    sender.start();
    RecordingHandler handler = handlers.take();
    sender.awaitStall(handler);

    shipment.cancel(new ShipmentException(Fault.CANCELLED, "too slow"));

    sender.join();
    assertFault(handler.whenAborted().get(), Fault.CANCELLED, "too slow");
    handler.release();
  }

  @Test
  void closedClientFailsWhatIsUnderWay() throws Exception {
    TransportServer server = listen(UnaryOperator.identity());
    TransportClient client = clientOf(server);
    Shipment shipment = closedAfterwards(client.open(header()));

    client.close();

    assertThat(failureOf(shipment.held()).fault()).isEqualTo(Fault.CANCELLED);
    assertThat(handlers.take().whenAborted().get().fault()).isEqualTo(Fault.CANCELLED);
    assertThatThrownBy(() -> client.open(header())).isInstanceOf(ShipmentException.class);
  }

  @Test
  void closedServerFailsWhatIsUnderWay() throws Exception {
    TransportServer server = listen(UnaryOperator.identity());
    Shipment shipment = closedAfterwards(clientOf(server).open(header()));
    RecordingHandler handler = handlers.take();

    server.close();

    assertThat(failureOf(shipment.held()).fault()).isEqualTo(Fault.CANCELLED);
    assertThat(handler.whenAborted().get().fault()).isEqualTo(Fault.CANCELLED);
  }

  @Test
  void cutWireEndsTheShipmentOnBothSides() throws Exception {
    TransportServer server = listen(RecordingHandler::holding);
    TcpWire wire = closedAfterwards(new TcpWire(server.address()));
    TransportClient client = closedAfterwards(transport().client(wire.address(), OPTIONS));
    Shipment shipment = closedAfterwards(client.open(header()));
    send(shipment, lease(frame(FrameType.SEGMENT, shipment.id(), 100, new Random(7))));
    RecordingHandler handler = handlers.take();
    handler.awaitFirstFrame();

    wire.cut();

    assertThat(handler.whenAborted().get().fault()).isEqualTo(Fault.PEER_GONE);
    assertThat(failureOf(shipment.held()).fault()).isEqualTo(Fault.PEER_GONE);
    assertThat(sendUntilFailure(shipment).fault()).isEqualTo(Fault.PEER_GONE);
    handler.release();
  }

  @Test
  void frozenWireCountsAsSilence() throws Exception {
    TransportServer server =
        listen(
            UnaryOperator.identity(),
            OPTIONS.toBuilder().idleTimeout(Duration.ofSeconds(2)).build());
    TcpWire wire = closedAfterwards(new TcpWire(server.address()));
    TransportClient client = closedAfterwards(transport().client(wire.address(), OPTIONS));
    closedAfterwards(client.open(header()));

    wire.freeze();

    assertThat(handlers.take().whenAborted().get().fault()).isEqualTo(Fault.PEER_SILENT);
    wire.cut();
  }

  @Test
  void senderStallsWithinTheCreditAndIsNotSilentWhileTheHandlerHoldsLeases() throws Exception {
    AtomicBoolean isFirst = new AtomicBoolean(true);
    // A pausing machine must not look silent.
    Duration idleTimeout = Duration.ofSeconds(2);
    TransportServer server =
        listen(
            handler -> isFirst.getAndSet(false) ? handler.holding() : handler,
            OPTIONS.toBuilder().idleTimeout(idleTimeout).build());
    TransportClient client = clientOf(server);
    Shipment shipment = closedAfterwards(client.open(header()));
    StallingSender sender = new StallingSender(shipment);
    sender.start();
    RecordingHandler handler = handlers.take();
    sender.awaitStall(handler);

    long credit = OPTIONS.shipmentCreditBytes();
    assertThat(handler.arrivedBytes()).isBetween(1L, credit + StallingSender.FRAME_BYTES);
    assertThat(sender.sentBytes.get()).isLessThan(credit + maxBufferedBytes());
    assertThat(ship(client, 8)).as("another shipment goes on meanwhile").isEqualTo(40);
    // This sleep is the test: nothing may happen to a worker whose handler is slow.
    Thread.sleep(idleTimeout.plusMillis(500).toMillis());

    handler.release();
    assertThat(shipment.committed().get()).isEqualTo(StallingSender.FRAMES);
    sender.join();
  }

  /** Sends far more bytes than the credit and all buffers. */
  private final class StallingSender extends Thread {
    static final int FRAME_BYTES = 63_024;
    static final int FRAMES = 1_200; // 75 MB

    private final Shipment shipment;
    private final AtomicLong sentBytes = new AtomicLong();

    private StallingSender(Shipment shipment) {
      super("stalling-sender");
      this.shipment = shipment;
    }

    @Override
    public void run() {
      ByteBuffer frame =
          frame(FrameType.CHUNK, shipment.id(), FRAME_BYTES - FrameHeader.BYTES, new Random(9));
      Seal.Digest digest = new Seal.Digest();
      try {
        for (int i = 0; i < FRAMES; i++) {
          send(shipment, lease(frame.duplicate().order(frame.order())));
          sentBytes.addAndGet(FRAME_BYTES);
          digest.add(i, FrameHeader.checksum(frame));
        }
        send(shipment, lease(digest.seal().toFrame(FrameType.SEAL, shipment.id())));
      } catch (ShipmentException e) {
        assertThat(e.fault()).isEqualTo(Fault.CANCELLED);
      } catch (InterruptedException e) {
        throw new AssertionError("nobody interrupts this thread", e);
      }
    }

    /**
     * Waits until nothing has moved for a while. If this takes a pause for a stall, the test is
     * weaker but never wrong: its assertions hold at any moment.
     */
    private void awaitStall(RecordingHandler handler) throws InterruptedException {
      handler.awaitFirstFrame();
      long before = -1;
      while (before != sentBytes.get() + handler.arrivedBytes()) {
        before = sentBytes.get() + handler.arrivedBytes();
        Thread.sleep(500);
      }
      assertThat(isAlive()).as("the sender was done, it did not stall").isTrue();
    }
  }
}
