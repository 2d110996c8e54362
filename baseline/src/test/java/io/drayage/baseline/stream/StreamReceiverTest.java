package io.drayage.baseline.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.RandomCargo;
import io.drayage.codec.Compressors;
import io.drayage.codec.Serializer;
import io.drayage.codec.Serializers;
import io.drayage.frame.Fault;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.FrameType;
import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.memory.Lease;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.receive.Reception;
import io.drayage.testing.ShipmentHeaders;
import io.drayage.testing.WireFrames;
import io.drayage.transport.RecordingReplies;
import io.drayage.transport.Threads;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(180)
class StreamReceiverTest {
  private static final long SHIPMENT_ID = 7;
  private static final long MAX_BYTES = 100 << 20;

  private final Threads threads = Threads.remember();
  private final AtomicInteger openLeases = new AtomicInteger();
  private final RecordingReplies replies = new RecordingReplies(SHIPMENT_ID);
  private final CompletableFuture<ChangeCargo> held = new CompletableFuture<>();
  private final ChangeCargo cargo = RandomCargo.of(1, 2_000);
  private final List<ByteBuffer> frames = frames(cargo);

  @AfterEach
  void nothingIsLeftBehind() throws InterruptedException {
    threads.assertGone(Duration.ofSeconds(20));
    assertThat(openLeases).hasValue(0);
  }

  @Test
  void handsOnACargoAndTheChunksItWasReadFrom() {
    List<ByteBuffer> read = new CopyOnWriteArrayList<>();
    Outcomes outcomes = new Outcomes(replies, held::complete, frame -> read.add(frame.view()));
    StreamReceiver receiver = receiver(Serializers.ofName("java"), MAX_BYTES, outcomes);

    frames.forEach(frame -> receiver.onFrame(lease(frame)));

    assertThat(CargoDigest.of(held.join())).isEqualTo(CargoDigest.of(cargo));
    assertThat(replies.whenHeld().join().frameCount()).isEqualTo(frames.size() - 1);
    assertThat(read).isEqualTo(frames.subList(0, frames.size() - 1));
  }

  @Test
  void namesAFrameBehindTheSeal() {
    for (ByteBuffer surplus : List.of(frames.get(0), frames.get(frames.size() - 1))) {
      RecordingReplies recorded = new RecordingReplies(SHIPMENT_ID);
      CountDownLatch gate = new CountDownLatch(1);
      StreamReceiver receiver =
          receiver(
              Serializers.ofName("java"),
              MAX_BYTES,
              new Outcomes(recorded, held::complete, frame -> awaitOpen(gate)));
      frames.forEach(frame -> receiver.onFrame(lease(frame)));

      receiver.onFrame(lease(surplus));

      ShipmentException failure = recorded.whenFailed().join();
      assertThat(failure.fault()).isEqualTo(Fault.PROTOCOL_VIOLATION);
      assertThat(failure)
          .hasMessage(
              "a %s frame came after the seal of the stream".formatted(FrameHeader.type(surplus)));
      gate.countDown();
    }
    assertThat(held).isNotDone();
  }

  private static void awaitOpen(CountDownLatch gate) {
    try {
      gate.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static Arguments wrong(
      Fault fault, String message, long maxBytes, Consumer<List<ByteBuffer>> spoiling) {
    return Arguments.of(fault, message, maxBytes, spoiling);
  }

  static Stream<Arguments> wrongFrames() {
    return Stream.of(
        wrong(
            Fault.CHECKSUM,
            "CHUNK frame of 63,000 bytes has checksum",
            MAX_BYTES,
            frames -> frames.get(2).put(100, (byte) ~frames.get(2).get(100))),
        wrong(Fault.DECODE, "java and none", MAX_BYTES, frames -> frames.remove(frames.size() - 2)),
        wrong(
            Fault.DIGEST,
            "the seal states digest 0000000000000001",
            MAX_BYTES,
            frames -> {
              Seal seal = new Seal(frames.size() - 1, 1);
              frames.set(frames.size() - 1, seal.toFrame(FrameType.SEAL, SHIPMENT_ID));
            }),
        wrong(
            Fault.DECODE,
            "bytes behind the cargo",
            MAX_BYTES,
            frames -> frames.add(frames.size() - 1, surplus(FrameType.CHUNK))),
        wrong(
            Fault.PROTOCOL_VIOLATION,
            "SEGMENT frame in a shipment of the stream pipeline",
            MAX_BYTES,
            frames -> frames.add(1, surplus(FrameType.SEGMENT))),
        wrong(
            Fault.PROTOCOL_VIOLATION,
            "announced was " + RandomCargo.of(1, 2_000).transactionId(),
            MAX_BYTES,
            frames -> {
              frames.clear();
              frames.addAll(frames(RandomCargo.of(2, 10)));
            }),
        wrong(Fault.LIMIT, "the limit of 10,000 bytes", 10_000, frames -> {}));
  }

  private static ByteBuffer surplus(FrameType type) {
    return WireFrames.of(type, SHIPMENT_ID, (byte) 0);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @MethodSource("wrongFrames")
  void refusesByName(
      Fault fault, String message, long maxBytes, Consumer<List<ByteBuffer>> spoiling) {
    spoiling.accept(frames);
    StreamReceiver receiver = receiver(Serializers.ofName("java"), maxBytes);

    frames.forEach(frame -> receiver.onFrame(lease(frame)));

    ShipmentException failure = replies.whenFailed().join();
    assertThat(failure).hasMessageContaining(message);
    assertThat(failure.fault()).isEqualTo(fault);
    assertThat(held).isNotDone();
  }

  @Test
  void survivesAStreamThatOverflowsTheStackOrTheHeap() {
    for (Error error : List.of(new StackOverflowError("deep"), new OutOfMemoryError("big"))) {
      RecordingReplies recorded = new RecordingReplies(SHIPMENT_ID);
      StreamReceiver receiver = receiver(new FakeSerializer(0, error), MAX_BYTES, recorded);

      receiver.onFrame(lease(frames.get(0)));

      ShipmentException failure = recorded.whenFailed().join();
      assertThat(failure.fault()).isEqualTo(Fault.DECODE);
      assertThat(failure).hasMessageContaining(error.toString());
    }
  }

  @Test
  void endsWithoutAnAnswerWhenTheTransportAborts() throws InterruptedException {
    StreamReceiver receiver = receiver(Serializers.ofName("java"), MAX_BYTES);
    receiver.onFrame(lease(frames.get(0)));
    receiver.onFrame(lease(frames.get(1)));

    receiver.onAborted(new ShipmentException(Fault.PEER_GONE, "gone"));
    receiver.onFrame(lease(frames.get(2)));

    threads.assertGone(Duration.ofSeconds(20));
    assertThat(replies.whenFailed()).isNotDone();
    assertThat(held).isNotDone();
  }

  private StreamReceiver receiver(Serializer serializer, long maxBytes) {
    return receiver(serializer, maxBytes, replies);
  }

  private StreamReceiver receiver(Serializer serializer, long maxBytes, RecordingReplies to) {
    return receiver(serializer, maxBytes, new Outcomes(to, held::complete));
  }

  private StreamReceiver receiver(Serializer serializer, long maxBytes, Outcomes outcomes) {
    ShipmentHeader header =
        ShipmentHeaders.of(
            cargo.transactionId(),
            cargo.baseSnapshot(),
            ShipmentHeader.Pipeline.STREAM,
            serializer.id(),
            1,
            "test");
    return new StreamReceiver(
        new Reception(
            header,
            serializer,
            Compressors.ofName("none"),
            maxBytes,
            bytes -> {},
            new DrayageMetrics(),
            outcomes),
        StreamOptions.PUBLISHED);
  }

  private Lease lease(ByteBuffer frame) {
    return WireFrames.lease(frame.duplicate(), openLeases);
  }

  private static List<ByteBuffer> frames(ChangeCargo cargo) {
    TransferQueue queue = new TransferQueue(StreamOptions.PUBLISHED);
    ChunkOutputStream out =
        new ChunkOutputStream(
            StreamOptions.PUBLISHED_CHUNK_BYTES, SHIPMENT_ID, queue, new DrayageMetrics().encode());
    List<ByteBuffer> frames = new ArrayList<>();
    try {
      StreamSerializer.write(Serializers.ofName("java"), cargo, out);
      out.finish();
      for (Lease chunk = queue.take(); chunk != null; chunk = queue.take()) {
        frames.add(chunk.buffer());
      }
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
    frames.add(out.seal().toFrame(FrameType.SEAL, SHIPMENT_ID));
    return frames;
  }
}
