package io.drayage.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnValues;
import io.drayage.codec.Compressors;
import io.drayage.codec.Serializers;
import io.drayage.codec.pool.CodecPool;
import io.drayage.frame.Accepted;
import io.drayage.frame.ControlFrame;
import io.drayage.frame.Fault;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.FrameType;
import io.drayage.frame.Join;
import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.Token;
import io.drayage.receive.CargoReceiver;
import io.drayage.receive.ReceiverLimits;
import io.drayage.segment.ManifestCodec;
import io.drayage.segment.SegmentPlanner;
import io.drayage.send.SegmentsSender;
import io.drayage.send.SendReport;
import io.drayage.testing.CargoBytes;
import io.drayage.testing.WireFrames;
import io.drayage.transport.TransportOptions;
import io.drayage.transport.TransportServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a peer may do wrong on the wire, byte by byte. Each test ends with a good shipment over the
 * same server and with every buffer released: a bad peer costs its own shipment, nothing else.
 */
@Timeout(180)
class WireAbuseTest {
  private static final UUID TRANSACTION = new UUID(7, 11);
  private static final TransportOptions OPTIONS =
      TransportOptions.builder().receiverBytes(8 << 20, 128 << 20).build();

  /** Room for two shipments, and none is kept when its worker dies. */
  private static final TransportOptions TWO_AT_A_TIME =
      OPTIONS.toBuilder().receiverBytes(8 << 20, 16 << 20).resumeWindow(Duration.ZERO).build();

  private final Queue<Long> committed = new ConcurrentLinkedQueue<>();
  private final CargoReceiver receiver =
      new CargoReceiver(
          cargo -> {
            committed.add(CargoDigest.of(cargo));
            return committed.size();
          },
          new ReceiverLimits(64 << 20, 128 << 20, 8),
          2);
  private TransportServer server;

  @BeforeEach
  void listen() throws IOException {
    server = listen(OPTIONS);
  }

  private TransportServer listen(TransportOptions options) throws IOException {
    return NettyTransport.best()
        .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), receiver, options);
  }

  @AfterEach
  void nothingIsLeftAndTheNextShipmentSucceeds() throws Exception {
    assertThat(committed).isEmpty();
    ChangeCargo cargo = cargo(UUID.randomUUID());
    try (CodecPool pool = new CodecPool(2, "encode");
        SegmentsSender sender =
            new SegmentsSender(
                NettyTransport.best().client(server.address(), OPTIONS),
                pool,
                Serializers.ofName("raw"),
                Compressors.ofName("none"),
                "good worker")) {
      SendReport report = sender.send(cargo);
      assertThat(report.snapshotTimestamp()).isEqualTo(1);
    } finally {
      server.close();
      receiver.close();
    }
    assertThat(committed).containsExactly(CargoDigest.of(cargo));
    DirectMemory.assertAllReleased();
  }

  private static ChangeCargo cargo(UUID transactionId) {
    int[][] pages = {new int[1_000]};
    return ChangeCargo.builder(transactionId, 0)
        .table("t", table -> table.insert("c", ColumnValues.of(pages)))
        .build();
  }

  private static ByteBuffer manifest(long shipmentId) {
    return ManifestCodec.toFrame(
        new SegmentPlanner(SegmentPlanner.DEFAULT_SEGMENT_BYTES).plan(cargo(TRANSACTION)),
        shipmentId);
  }

  private void assertRefused(ByteBuffer firstFrame, Fault fault, String message)
      throws IOException {
    try (RawPeer peer = new RawPeer(server.address())) {
      peer.send(firstFrame);
      ShipmentException answer = peer.receiveFailure();
      assertThat(answer.fault()).isEqualTo(fault);
      assertThat(answer).hasMessageContaining(message);
    }
  }

  private static ByteBuffer open() {
    return RawPeer.header(TRANSACTION).toFrame().order(ByteOrder.LITTLE_ENDIAN);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 20, BAD_FRAME, magic is 0x47595220",
    "4, 09, BAD_FRAME, version 9 is not supported",
    "5, 63, BAD_FRAME, frame type 99 is unknown",
    "6, 01, BAD_FRAME, reserved bits",
    "19, 7F, LIMIT, 'bytes exceeds the limit of 16,384'",
    "19, FF, LIMIT, 'bytes exceeds the limit of 16,384'",
    "40, 77, CHECKSUM, OPEN frame",
  })
  void namesWrongByte(int offset, String value, Fault fault, String message) throws IOException {
    ByteBuffer open = open().put(offset, (byte) HexFormat.fromHexDigits(value));
    assertRefused(open, fault, message);
  }

  @Test
  void refusesBulkFrameBeforeOpen() throws IOException {
    assertRefused(manifest(1), Fault.PROTOCOL_VIOLATION, "MANIFEST frame came at a wrong time");
  }

  @Test
  void refusesAnswerOfTransactorFromWorker() throws IOException {
    assertRefused(ControlFrame.committed(0, 5), Fault.PROTOCOL_VIOLATION, "COMMITTED frame");
  }

  @Test
  void refusesUnknownSerializer() throws IOException {
    ByteBuffer open = open().put(FrameHeader.BYTES + 25, (byte) 77);
    assertRefused(WireFrames.mended(open), Fault.REFUSED, "serializer number 77 is unknown");
  }

  @Test
  void refusesUnknownPipeline() throws IOException {
    ByteBuffer open = open().put(FrameHeader.BYTES + 24, (byte) 3);
    assertRefused(WireFrames.mended(open), Fault.BAD_FRAME, "pipeline 3 is unknown");
  }

  @Test
  void refusesSecondOpen() throws IOException {
    try (RawPeer peer = new RawPeer(server.address())) {
      peer.open(TRANSACTION);
      peer.send(open());
      assertThat(peer.receiveFailure().fault()).isEqualTo(Fault.PROTOCOL_VIOLATION);
    }
  }

  @Test
  void refusesFrameOfAnotherShipment() throws IOException {
    try (RawPeer peer = new RawPeer(server.address())) {
      long id = peer.open(TRANSACTION).shipmentId();
      peer.send(manifest(id + 1));
      ShipmentException answer = peer.receiveFailure();
      assertThat(answer.fault()).isEqualTo(Fault.PROTOCOL_VIOLATION);
      assertThat(answer).hasMessageContaining("shipment " + (id + 1));
    }
  }

  @Test
  void cutsOffPeerThatOverrunsItsCredit() throws IOException {
    try (RawPeer peer = new RawPeer(server.address())) {
      long id = peer.open(TRANSACTION).shipmentId();
      peer.send(manifest(id));
      // Headers alone: the credit is looked at before a byte of payload is awaited or stored.
      ByteBuffer huge = segmentHeaderOnly(id);
      int frames = 0;
      ShipmentException answer = null;
      while (answer == null && frames++ < 8) {
        peer.send(huge);
        peer.send(new byte[FrameHeader.MAX_PAYLOAD_BYTES], 0, FrameHeader.MAX_PAYLOAD_BYTES);
        answer = frames >= 2 ? peer.receiveFailure() : null;
      }
      assertThat(answer.fault()).isIn(Fault.CREDIT_OVERRUN, Fault.CHECKSUM);
    }
  }

  private static ByteBuffer segmentHeaderOnly(long shipmentId) {
    return WireFrames.of(FrameType.SEGMENT, shipmentId).putInt(16, FrameHeader.MAX_PAYLOAD_BYTES);
  }

  @Test
  void givesTheWindowsOfPeersBackThatDieInTheMiddleOfAFrame() throws IOException {
    try (TransportServer small = listen(TWO_AT_A_TIME)) {
      for (int death = 0; death < 10; death++) {
        RawPeer peer = openedOnceThereIsRoom(small);
        peer.send(segmentHeaderOnly(0));
        peer.send(new byte[100_000], 0, 100_000);
        peer.reset();
      }
      assertThat(DirectMemory.await(() -> opens(small))).isTrue();
    }
  }

  private static RawPeer openedOnceThereIsRoom(TransportServer server) throws IOException {
    assertThat(DirectMemory.await(() -> opens(server))).as("there is room").isTrue();
    RawPeer peer = new RawPeer(server.address());
    peer.send(open());
    return peer;
  }

  @Test
  void closesAConnectionThatAsksForNothing() throws IOException {
    TransportOptions impatient = OPTIONS.toBuilder().openTimeout(Duration.ofMillis(200)).build();
    try (TransportServer strict = listen(impatient);
        RawPeer peer = new RawPeer(strict.address())) {
      peer.send(ControlFrame.heartbeat(0));
      assertThat(peer.isClosedByPeer()).isTrue();
    }
  }

  @Test
  void refusesTruncatedCargo() throws IOException {
    try (RawPeer peer = new RawPeer(server.address())) {
      long id = peer.open(TRANSACTION).shipmentId();
      peer.send(manifest(id));
      peer.send(new Seal(0, 0).toFrame(FrameType.SEAL, id));
      ShipmentException answer = peer.receiveFailure();
      assertThat(answer.fault()).isEqualTo(Fault.SEGMENT_MISSING);
      assertThat(answer).hasMessageContaining("is missing, though all 0 frames");
    }
  }

  @Test
  void closesAfterCancel() throws IOException {
    try (RawPeer peer = new RawPeer(server.address())) {
      long id = peer.open(TRANSACTION).shipmentId();
      peer.cancel(id);
      assertThat(peer.isClosedByPeer()).isTrue();
    }
  }

  @Test
  void keepsSilentPeerNoLongerThanTheTimeout() throws IOException {
    try (TransportServer impatient =
            listen(OPTIONS.toBuilder().idleTimeout(Duration.ofMillis(700)).build());
        RawPeer opened = new RawPeer(impatient.address());
        RawPeer mute = new RawPeer(impatient.address())) {
      opened.open(TRANSACTION);
      ShipmentException answer = opened.receiveFailure();
      assertThat(answer.fault()).isEqualTo(Fault.PEER_SILENT);
      assertThat(answer).hasMessageContaining("silent for 700 ms");
      assertThat(opened.isClosedByPeer()).isTrue();
      assertThat(mute.isClosedByPeer()).isTrue();
    }
  }

  @Test
  void acceptsFramesInSingleBytes() throws IOException {
    try (RawPeer peer = new RawPeer(server.address())) {
      byte[] open = open().array();
      for (int i = 0; i < open.length; i++) {
        peer.send(open, i, 1);
      }
      long id = FrameHeader.shipmentId(peer.receive(FrameType.ACCEPT));
      byte[] manifest = manifest(id).array();
      for (int i = 0; i < manifest.length; i++) {
        peer.send(manifest, i, 1);
      }
      peer.send(manifest(id));
      ShipmentException answer = peer.receiveFailure();
      assertThat(answer).hasMessageContaining("the manifest came twice");
    }
  }

  @Test
  void refusesShipmentsBeyondTheServersBudget() throws IOException {
    try (TransportServer small = listen(TWO_AT_A_TIME);
        RawPeer first = new RawPeer(small.address());
        RawPeer second = new RawPeer(small.address());
        RawPeer third = new RawPeer(small.address())) {
      first.open(TRANSACTION);
      second.open(TRANSACTION);
      third.send(open());
      ShipmentException answer = third.receiveFailure();
      assertThat(answer.fault()).isEqualTo(Fault.BUSY);
      assertThat(answer).hasMessageContaining("no room for a window of 8,388,608 bytes");
      first.reset();
      assertThat(DirectMemory.await(() -> opens(small)))
          .as("the window of a dead peer is released")
          .isTrue();
    }
  }

  private static boolean opens(TransportServer server) {
    try (RawPeer probe = new RawPeer(server.address())) {
      probe.open(TRANSACTION);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** Good, changed, cut and misplaced frames over two connections, which end anywhere. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void anyFramesInAnyOrderCostNothingElse(long seed) throws Exception {
    server.close();
    server = listen(OPTIONS.toBuilder().resumeWindow(Duration.ZERO).build());
    Random random = new Random(seed);
    RawPeer[] peers = {new RawPeer(server.address()), new RawPeer(server.address())};
    Accepted[] shipments = new Accepted[peers.length];
    for (int step = 0; step < 400; step++) {
      int one = random.nextInt(peers.length);
      try {
        if (random.nextInt(10) == 0) {
          peers[one].reset();
          peers[one] = new RawPeer(server.address());
          shipments[one] = peers[one].open(TRANSACTION);
        }
        peers[one].send(anyFrame(random, shipments[random.nextInt(peers.length)]));
      } catch (IOException e) {
        peers[one].reset();
        peers[one] = new RawPeer(server.address());
      }
    }
    for (RawPeer peer : peers) {
      peer.close();
    }
  }

  /** Of a shipment, if there is one; the only seal has a wrong digest, so that nothing commits. */
  private static ByteBuffer anyFrame(Random random, @Nullable Accepted shipment)
      throws IOException {
    long id = shipment == null ? random.nextInt(4) : shipment.shipmentId();
    Token token = shipment == null ? new Token(1, random.nextLong()) : shipment.token();
    List<ByteBuffer> frames = new ArrayList<>(CargoBytes.framesOf(cargo(TRANSACTION)));
    frames.set(
        frames.size() - 1,
        new Seal(frames.size() - 1, random.nextLong()).toFrame(FrameType.SEAL, id));
    for (ByteBuffer frame : frames) {
      FrameHeader.write(frame, FrameHeader.type(frame), id);
    }
    frames.add(open());
    frames.add(new Join(token, Join.Purpose.RESUME).toFrame(id));
    frames.add(ControlFrame.heartbeat(id));
    frames.add(ControlFrame.credit(id, random.nextLong()));
    ByteBuffer frame = frames.get(random.nextInt(frames.size())).order(ByteOrder.LITTLE_ENDIAN);
    int at = random.nextInt(frame.limit());
    switch (random.nextInt(8)) {
      case 0 -> frame.limit(at);
      case 1 -> frame.put(at, (byte) random.nextInt());
      case 2 -> {
        frame.put(Math.max(at, FrameHeader.BYTES) % frame.limit(), (byte) random.nextInt());
        FrameHeader.write(frame, FrameHeader.type(frame), id);
      }
      default -> {}
    }
    return frame;
  }
}
