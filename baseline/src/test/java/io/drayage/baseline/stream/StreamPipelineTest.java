package io.drayage.baseline.stream;

import static io.drayage.testing.Refusals.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.RandomCargo;
import io.drayage.codec.Compressor;
import io.drayage.codec.Compressors;
import io.drayage.codec.Serializer;
import io.drayage.codec.Serializers;
import io.drayage.frame.Fault;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.ShipmentException;
import io.drayage.memory.Lease;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.receive.Reception;
import io.drayage.send.SendReport;
import io.drayage.transport.LoopbackTransport;
import io.drayage.transport.ShipmentAcceptor;
import io.drayage.transport.ShipmentHandler;
import io.drayage.transport.ShipmentReplies;
import io.drayage.transport.Threads;
import io.drayage.transport.TransportOptions;
import io.drayage.transport.TransportServer;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(180)
class StreamPipelineTest {
  private static final Serializer JAVA = Serializers.ofName("java");
  private static final Compressor NONE = Compressors.ofName("none");

  /** A cargo of more than two of the largest chunks. */
  private static final ChangeCargo CARGO = RandomCargo.of(3, 50_000);

  private final ShipmentException broken = new ShipmentException(Fault.REJECTED, "no more of that");

  private final Threads threads = Threads.remember();
  private final LoopbackTransport transport = new LoopbackTransport();
  private final LinkedBlockingQueue<ChangeCargo> arrived = new LinkedBlockingQueue<>();
  private final CompletableFuture<ShipmentException> aborted = new CompletableFuture<>();

  @AfterEach
  void noThreadIsLeft() throws InterruptedException {
    threads.assertGone(Duration.ofSeconds(20));
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        StreamOptions.PUBLISHED_CHUNK_BYTES,
        StreamOptions.MIN_CHUNK_BYTES,
        1 << 20,
        StreamOptions.MAX_CHUNK_BYTES
      })
  @Tag("ci")
  void cargoesArriveInChunksOfAnySize(int chunkBytes) throws Exception {
    StreamOptions options = StreamOptions.PUBLISHED.withChunkBytes(chunkBytes);
    try (TransportServer server = listen(acceptor(StreamOptions.PUBLISHED));
        StreamSender sender = sender(server, JAVA, NONE, options)) {
      SendReport report = sender.send(CARGO);

      assertThat(CargoDigest.of(arrived.remove())).isEqualTo(CargoDigest.of(CARGO));
      assertThat(report.snapshotTimestamp()).isEqualTo(42);
      int frameBytes = FrameHeader.BYTES + chunkBytes;
      assertThat(report.frames())
          .isEqualTo((report.wireBytes() - 40 + frameBytes - 1) / frameBytes);
      assertThat(report.serializeNs()).isPositive();
      assertThat(report.drainNs()).isNotNegative();
      assertThat(report.decodeNs()).isNotNegative();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"java", "kryo", "msgpack"})
  @Tag("ci")
  void cargoArrivesWithoutAnySuspect(String serializer) throws Exception {
    StreamOptions options =
        StreamOptions.PUBLISHED
            .withQueueChunks(StreamOptions.MIN_QUEUE_CHUNKS)
            .withoutFlushes()
            .withReadBufferBytes(1 << 16);
    for (String compressor : List.of("none", "lz4", "zstd")) {
      try (TransportServer server = listen(acceptor(options));
          StreamSender sender =
              sender(
                  server,
                  Serializers.ofName(serializer),
                  Compressors.ofName(compressor),
                  options)) {
        sender.send(CARGO);
        assertThat(CargoDigest.of(arrived.remove()))
            .as(compressor)
            .isEqualTo(CargoDigest.of(CARGO));
      }
    }
  }

  @Test
  void refusesOptionsOutsideTheLimits() {
    assertThatThrownBy(() -> StreamOptions.PUBLISHED.withQueueChunks(1))
        .hasMessageContaining("outside 2 to 1,024");
    assertThatThrownBy(() -> StreamOptions.PUBLISHED.withReadBufferBytes(-1))
        .hasMessageContaining("outside 0 to 4,194,304");
    for (int chunkBytes :
        new int[] {StreamOptions.MIN_CHUNK_BYTES - 1, StreamOptions.MAX_CHUNK_BYTES + 1}) {
      assertThatThrownBy(() -> StreamOptions.PUBLISHED.withChunkBytes(chunkBytes))
          .hasMessageContaining("outside 1,000 to 4,194,304");
    }
  }

  @Test
  void cargoThatCannotBeSerializedIsCancelledAtTheOtherEnd() throws Exception {
    try (TransportServer server = listenTo((frame, replies) -> frame.release());
        StreamSender sender = sender(server, endless(500))) {
      assertThatThrownBy(() -> sender.send(CARGO))
          .isInstanceOf(ShipmentException.class)
          .hasMessageContaining("cannot be serialized with fake and none")
          .hasMessageContaining("that was all");
      assertThat(aborted.get()).hasMessageContaining("that was all");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void serializingEndsWhenTheShipmentFailsAlsoIfNothingIsTaken(boolean taken) throws Exception {
    AtomicInteger frames = new AtomicInteger();
    LinkedBlockingQueue<Lease> leases = new LinkedBlockingQueue<>();
    try (TransportServer server =
            listenTo(
                (frame, replies) -> {
                  if (taken) {
                    frame.release();
                  } else {
                    leases.add(frame);
                  }
                  if (frames.incrementAndGet() == 10) {
                    replies.failed(broken);
                  }
                });
        StreamSender sender = sender(server, endless(Integer.MAX_VALUE))) {
      assertFails(() -> sender.send(CARGO), ShipmentException.class, "no more of that");
      leases.forEach(Lease::release);
    }
  }

  @Test
  void interruptedSenderCancelsTheShipment() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    try (TransportServer server =
            listenTo(
                (frame, replies) -> {
                  begun.countDown();
                  frame.release();
                });
        StreamSender sender = sender(server, endless(Integer.MAX_VALUE))) {
      Thread caller =
          new Thread(
              () ->
                  assertThatThrownBy(() -> sender.send(CARGO))
                      .isInstanceOf(InterruptedException.class));
      caller.start();
      begun.await();
      caller.interrupt();
      caller.join();
      assertThat(aborted.get()).isNotNull();
    }
  }

  /** Passes each frame on, and records an abort. */
  private TransportServer listenTo(BiConsumer<Lease, ShipmentReplies> onFrame) {
    ShipmentAcceptor acceptor =
        (header, replies) ->
            new ShipmentHandler() {
              @Override
              public void onFrame(Lease frame) {
                onFrame.accept(frame, replies);
              }

              @Override
              public boolean onAborted(ShipmentException cause) {
                aborted.complete(cause);
                return true;
              }
            };
    return listen(acceptor);
  }

  private TransportServer listen(ShipmentAcceptor acceptor) {
    return transport.listen(
        new InetSocketAddress(0),
        acceptor,
        TransportOptions.builder().receiverBytes(5 << 20, 5 << 20).build());
  }

  private StreamSender sender(TransportServer server, Serializer serializer) {
    return sender(server, serializer, NONE, StreamOptions.PUBLISHED);
  }

  private StreamSender sender(
      TransportServer server, Serializer serializer, Compressor compressor, StreamOptions options) {
    return new StreamSender(
        transport.client(server.address(), TransportOptions.DEFAULT),
        serializer,
        compressor,
        "test",
        options,
        new DrayageMetrics());
  }

  private static Serializer endless(int chunks) {
    return new FakeSerializer(chunks, new AssertionError("nobody reads"));
  }

  private ShipmentAcceptor acceptor(StreamOptions options) {
    return (header, replies) ->
        new StreamPipeline(options)
            .receive(
                new Reception(
                    header,
                    Serializers.ofId(header.serializerId()),
                    Compressors.ofId(header.compressorId()),
                    1L << 30,
                    bytes -> {},
                    new DrayageMetrics(),
                    new Outcomes(
                        replies,
                        read -> {
                          arrived.add(read);
                          replies.committed(42);
                        })));
  }
}
