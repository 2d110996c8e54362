package io.drayage.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnValues;
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
import io.drayage.testing.CargoBytes;
import io.drayage.testing.WireFrames;
import io.drayage.transport.TransportFixture;
import io.drayage.transport.TransportOptions;
import io.drayage.transport.TransportServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Violations of the protocol by a peer, byte by byte. Each test ends with a good shipment over the
 * same server and with every buffer released: a bad peer costs only its own shipment.
 */
@Timeout(180)
class WireAbuseTest {
  private static final UUID TRANSACTION = new UUID(7, 11);
  private static final TransportOptions OPTIONS =
      TransportOptions.builder().receiverBytes(8 << 20, 128 << 20).build();

  /** Room for two shipments; a shipment ends when its worker dies. */
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
            CargoBytes.sender(NettyTransport.best().client(server.address(), OPTIONS), pool)) {
      assertThat(sender.send(cargo).snapshotTimestamp()).isEqualTo(1);
    } finally {
      server.close();
      receiver.close();
    }
    assertThat(committed).containsExactly(CargoDigest.of(cargo));
    DirectMemory.assertAllReleased();
  }

  private static ChangeCargo cargo(UUID transactionId) {
    return CargoBytes.cargoOf(transactionId, ColumnValues.of(new int[1][1_000]));
  }

  private static ByteBuffer manifest(long shipmentId) {
    return ManifestCodec.toFrame(
        new SegmentPlanner(SegmentPlanner.DEFAULT_SEGMENT_BYTES).plan(cargo(TRANSACTION)),
        shipmentId);
  }

  private static Arguments first(ByteBuffer frame, Fault fault, String message) {
    return Arguments.of(false, frame, fault, message);
  }

  static Stream<Arguments> wrongFrames() {
    return Stream.of(
        first(open().put(0, (byte) 0x20), Fault.BAD_FRAME, "magic is 0x47595220"),
        first(open().put(19, (byte) 0x7F), Fault.LIMIT, "bytes exceeds the limit of 16,384"),
        first(open().put(40, (byte) 0x77), Fault.CHECKSUM, "OPEN frame"),
        first(manifest(1), Fault.PROTOCOL_VIOLATION, "MANIFEST frame came at a wrong time"),
        first(ControlFrame.committed(0, 5), Fault.PROTOCOL_VIOLATION, "COMMITTED frame"),
        Arguments.of(true, open(), Fault.PROTOCOL_VIOLATION, "OPEN frame"));
  }

  @ParameterizedTest
  @MethodSource("wrongFrames")
  void refusesByName(boolean opened, ByteBuffer frame, Fault fault, String message)
      throws IOException {
    try (RawPeer peer = new RawPeer(server.address())) {
      if (opened) {
        peer.open(TRANSACTION);
      }
      peer.send(frame);
      TransportFixture.assertFault(peer.receiveFailure(), fault, message);
    }
  }

  private static ByteBuffer open() {
    return RawPeer.header(TRANSACTION).toFrame().order(ByteOrder.LITTLE_ENDIAN);
  }

  @Test
  void cutsOffPeerThatOverrunsItsCredit() throws IOException {
    try (RawPeer peer = new RawPeer(server.address())) {
      long id = peer.open(TRANSACTION).shipmentId();
      peer.send(manifest(id));
      // Headers alone: the credit is checked before a byte of payload is awaited or stored.
      for (int frame = 0; frame < 2; frame++) {
        peer.send(segmentHeaderOnly(id));
        peer.send(new byte[FrameHeader.MAX_PAYLOAD_BYTES], 0, FrameHeader.MAX_PAYLOAD_BYTES);
      }
      assertThat(peer.receiveFailure().fault()).isIn(Fault.CREDIT_OVERRUN, Fault.CHECKSUM);
    }
  }

  private static ByteBuffer segmentHeaderOnly(long shipmentId) {
    return WireFrames.of(FrameType.SEGMENT, shipmentId).putInt(16, FrameHeader.MAX_PAYLOAD_BYTES);
  }

  @Test
  void givesTheWindowsOfPeersBackThatDieInTheMiddleOfAFrame() throws IOException {
    try (TransportServer small = listen(TWO_AT_A_TIME)) {
      for (int death = 0; death < 10; death++) {
        assertThat(DirectMemory.await(() -> RawPeer.opens(small))).as("there is room").isTrue();
        RawPeer peer = new RawPeer(small.address());
        peer.send(open());
        peer.send(segmentHeaderOnly(0));
        peer.send(new byte[100_000], 0, 100_000);
        peer.reset();
      }
      assertThat(DirectMemory.await(() -> RawPeer.opens(small))).isTrue();
    }
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

  /** Returns a frame, of {@code shipment} if given; the seal is wrong, so nothing commits. */
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
