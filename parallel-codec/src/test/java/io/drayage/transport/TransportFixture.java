package io.drayage.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.frame.Fault;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.FrameType;
import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.memory.Lease;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.testing.ShipmentHeaders;
import io.drayage.testing.WireFrames;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;

/** Servers, clients and frames for tests of a transport. Checks that none of them is left. */
public abstract class TransportFixture {
  protected static final TransportOptions OPTIONS =
      TransportOptions.builder()
          .receiverBytes(5 << 20, 40 << 20)
          .drainTimeout(Duration.ZERO)
          .build();

  /** The handlers of the accepted shipments, in that order. */
  protected final BlockingQueue<RecordingHandler> handlers = new LinkedBlockingQueue<>();

  private final Threads threads = Threads.remember();
  private final AtomicLong senderLeases = new AtomicLong();
  private final AtomicLong handlerLeases = new AtomicLong();
  private final Deque<AutoCloseable> toClose = new ArrayDeque<>();

  /** The transport under test. */
  protected abstract Transport transport();

  @AfterEach
  void nothingIsLeftBehind() throws Exception {
    while (!toClose.isEmpty()) {
      toClose.pop().close();
    }
    threads.assertGone(Duration.ofSeconds(20));
    assertThat(senderLeases).as("leases of the senders").hasValue(0);
    assertThat(handlerLeases).as("leases of the handlers").hasValue(0);
    assertBuffersReleased();
  }

  /** Checks the buffers of this transport alone. */
  protected void assertBuffersReleased() {}

  /** Checks once for all tests, since these threads end only after a second. */
  @AfterAll
  static void noSharedThreadIsLeftBehind() throws InterruptedException {
    Threads.assertSharedGone(Duration.ofSeconds(20));
  }

  protected <T extends AutoCloseable> T closedAfterwards(T resource) {
    toClose.push(resource);
    return resource;
  }

  protected TransportServer listen(UnaryOperator<RecordingHandler> setUp) throws ShipmentException {
    return listen(setUp, OPTIONS);
  }

  protected TransportServer listen(UnaryOperator<RecordingHandler> setUp, TransportOptions options)
      throws ShipmentException {
    return listen((header, replies) -> accepted(replies, setUp), options);
  }

  /** Accepts a shipment. */
  protected RecordingHandler accepted(
      ShipmentReplies replies, UnaryOperator<RecordingHandler> setUp) {
    RecordingHandler handler = setUp.apply(new RecordingHandler(replies, handlerLeases));
    handlers.add(handler);
    return handler;
  }

  protected TransportServer listen(ShipmentAcceptor acceptor, TransportOptions options)
      throws ShipmentException {
    InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    try {
      return closedAfterwards(transport().listen(anyPort, acceptor, options));
    } catch (BindException e) {
      throw new AssertionError("any port of the loopback interface can be bound", e);
    }
  }

  protected TransportClient clientOf(TransportServer server) {
    return closedAfterwards(transport().client(server.address(), OPTIONS));
  }

  protected static ShipmentHeader header() {
    return ShipmentHeaders.of(
        UUID.randomUUID(), 1, ShipmentHeader.Pipeline.SEGMENTS, 2, 1, "worker-1.test");
  }

  /** A frame with random content. */
  protected static ByteBuffer frame(
      FrameType type, long shipmentId, int payloadBytes, Random random) {
    byte[] payload = new byte[payloadBytes];
    random.nextBytes(payload);
    return WireFrames.of(type, shipmentId, payload);
  }

  /** A lease that counts as open until it is closed. */
  protected Lease lease(ByteBuffer frame) {
    senderLeases.incrementAndGet();
    return new Lease(frame, senderLeases::decrementAndGet);
  }

  protected static void send(Shipment shipment, Lease frame)
      throws ShipmentException, InterruptedException {
    shipment.send(frame, new DrayageMetrics().outbound());
  }

  /** Sends frames of many sizes and types, and the seal. */
  protected Seal sendAll(Shipment shipment, int count, int maxPayloadBytes, Random random)
      throws ShipmentException, InterruptedException {
    Seal.Digest digest = new Seal.Digest();
    FrameType[] types = {FrameType.SEGMENT, FrameType.MANIFEST, FrameType.CHUNK};
    for (int i = 0; i < count; i++) {
      int payloadBytes = i == 0 ? maxPayloadBytes : random.nextInt(maxPayloadBytes);
      ByteBuffer frame = frame(types[i % types.length], shipment.id(), payloadBytes, random);
      digest.add(i, FrameHeader.checksum(frame));
      send(shipment, lease(frame));
    }
    send(shipment, lease(digest.seal().toFrame(FrameType.SEAL, shipment.id())));
    return digest.seal();
  }

  /** A segment with this number in its first bytes. The same number gives the same segment. */
  protected static ByteBuffer segment(int number, long shipmentId, int payloadBytes) {
    ByteBuffer frame = frame(FrameType.SEGMENT, shipmentId, payloadBytes, new Random(number));
    return WireFrames.mended(frame.putInt(FrameHeader.BYTES, number));
  }

  /** Sends the segments from..to that are not in {@code received}. */
  protected void sendSegments(
      Shipment shipment, int from, int to, int payloadBytes, BitSet received)
      throws ShipmentException, InterruptedException {
    for (int number = from; number < to; number++) {
      if (!received.get(number)) {
        send(shipment, lease(segment(number, shipment.id(), payloadBytes)));
      }
    }
  }

  /** The seal of the segments 0..count. */
  protected static Seal sealOf(int count, long shipmentId, int payloadBytes) {
    Seal.Digest digest = new Seal.Digest();
    for (int number = 0; number < count; number++) {
      digest.add(number, FrameHeader.checksum(segment(number, shipmentId, payloadBytes)));
    }
    return digest.seal();
  }

  /** Sends the seal of the segments 0..count. */
  protected Seal sendSeal(Shipment shipment, int count, int payloadBytes)
      throws ShipmentException, InterruptedException {
    Seal seal = sealOf(count, shipment.id(), payloadBytes);
    send(shipment, lease(seal.toFrame(FrameType.SEAL, shipment.id())));
    return seal;
  }

  /** Sends 1 KiB frames until one fails; without a failure, for ever. */
  protected ShipmentException sendUntilFailure(Shipment shipment) throws InterruptedException {
    Random random = new Random(1);
    try {
      while (true) {
        send(shipment, lease(frame(FrameType.SEGMENT, shipment.id(), 1 << 10, random)));
      }
    } catch (ShipmentException e) {
      return e;
    }
  }

  /** Waits until a future of a shipment has failed. */
  protected static ShipmentException failureOf(CompletableFuture<?> answer)
      throws InterruptedException {
    try {
      Object unexpected = answer.get();
      throw new AssertionError("answered with " + unexpected);
    } catch (ExecutionException e) {
      return (ShipmentException) e.getCause();
    }
  }

  public static void assertFault(ShipmentException failure, Fault fault, String message) {
    assertThat(failure).hasMessageContaining(message);
    assertThat(failure.fault()).as(failure.getMessage()).isEqualTo(fault);
  }
}
