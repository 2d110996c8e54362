package io.drayage.receive;

import static io.drayage.frame.Fault.DECODE;
import static io.drayage.frame.Fault.DIGEST;
import static io.drayage.frame.Fault.MANIFEST;
import static io.drayage.frame.Fault.PROTOCOL_VIOLATION;
import static io.drayage.frame.Fault.SEGMENT_MISSING;
import static io.drayage.frame.Fault.SEGMENT_REPEATED;
import static io.drayage.internal.Texts.format;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.CargoSize;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.RandomCargo;
import io.drayage.codec.Compressors;
import io.drayage.codec.Serializers;
import io.drayage.codec.pool.CodecPool;
import io.drayage.frame.Fault;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.FrameType;
import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.frame.ShipmentHeader.Pipeline;
import io.drayage.internal.Waits;
import io.drayage.memory.Lease;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.receive.internal.CargoIntake;
import io.drayage.receive.internal.SegmentsDecoding;
import io.drayage.receive.internal.ShipmentPace;
import io.drayage.segment.CargoAssembler;
import io.drayage.segment.CargoSink;
import io.drayage.segment.Manifest;
import io.drayage.segment.SegmentPlanner;
import io.drayage.testing.CargoBytes;
import io.drayage.testing.Refusals;
import io.drayage.testing.ShipmentHeaders;
import io.drayage.testing.Waiting;
import io.drayage.testing.WireFrames;
import io.drayage.transport.RecordingReplies;
import io.drayage.transport.ShipmentHandler;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Frames made by hand, in every wrong order. */
@Timeout(180)
final class SegmentsReceiverTest {
  private static final ChangeCargo CARGO = RandomCargo.of(1, 1_000);
  private static final long RAW_BYTES = CargoSize.rawBytes(CARGO);
  private static final long MEMORY_BYTES =
      new SegmentPlanner(SegmentPlanner.DEFAULT_SEGMENT_BYTES).plan(CARGO).rawBytes();

  private final BlockingQueue<Long> committed = new LinkedBlockingQueue<>();
  private final AtomicInteger openLeases = new AtomicInteger();
  private final AtomicLong nowNs = new AtomicLong();
  private volatile boolean full;
  private final MemoryCommitter committer =
      new MemoryCommitter() {
        @Override
        public void requireRoom(Manifest manifest) throws ShipmentException {
          if (full) {
            throw new ShipmentException(Fault.FULL, format("%,d", manifest.rawBytes()));
          }
        }

        @Override
        public long commit(ChangeCargo cargo) {
          committed.add(CargoDigest.of(cargo));
          return 1;
        }
      };
  private final CargoReceiver receiver =
      CargoReceiver.builder(committer, new ReceiverLimits(RAW_BYTES, MEMORY_BYTES * 3 / 2, 2), 2)
          .withoutLedger() // The same cargo is committed again and again.
          .clock(nowNs::get)
          .build();
  private final RecordingReplies replies = new RecordingReplies(0);
  private List<ByteBuffer> frames = List.of();

  @BeforeEach
  void makeFrames() throws IOException {
    frames = new ArrayList<>(CargoBytes.framesOf(CARGO));
  }

  /** After any failure, the next shipment is served, and the memory is free for it. */
  @AfterEach
  void nextShipmentIsServed() throws Exception {
    Waiting.await(() -> openLeases.get() == 0);
    assertThat(committed).isEmpty();
    deliver(accept(new RecordingReplies(0)), CargoBytes.framesOf(CARGO));
    assertThat(committed.take()).isEqualTo(CargoDigest.of(CARGO));
    receiver.close();
  }

  @Test
  void answersThoughThereWasNoMemoryToAnswerAtFirst() throws Exception {
    AtomicInteger tries = new AtomicInteger();
    RecordingReplies answered =
        new RecordingReplies(0) {
          @Override
          public void failed(ShipmentException cause) {
            if (tries.incrementAndGet() == 1) {
              throw new OutOfMemoryError("for this answer");
            }
            super.failed(cause);
          }
        };
    List<Throwable> reported = new ArrayList<>();
    Thread.currentThread().setUncaughtExceptionHandler((thread, error) -> reported.add(error));
    try {
      deliver(receiver.accept(CargoBytes.headerOf(CARGO), answered), List.of(last()));
    } finally {
      Thread.currentThread().setUncaughtExceptionHandler(null);
    }

    assertThat(answered.whenFailed().get().fault()).isEqualTo(Fault.PROTOCOL_VIOLATION);
    assertThat(reported).singleElement().isInstanceOf(OutOfMemoryError.class);
  }

  /** Damages the frames of a cargo. */
  private interface Spoiling {
    void spoil(List<ByteBuffer> frames) throws IOException;
  }

  private static Arguments wrong(Fault fault, String why, Spoiling spoiling) {
    return Arguments.of(Named.of(fault + ": " + why, spoiling), fault, why);
  }

  private static Arguments wrongSegment(Fault fault, String why, Spoiling spoiling) {
    return wrong(
        fault,
        why,
        frames -> {
          spoiling.spoil(frames);
          WireFrames.mended(frames.get(1));
        });
  }

  private static Arguments flippedBit(FrameType of, UnaryOperator<List<ByteBuffer>> frame) {
    return wrong(
        Fault.CHECKSUM,
        of + " frame of ",
        frames -> {
          ByteBuffer bytes = frame.apply(frames).get(0);
          bytes.put(bytes.limit() - 1, (byte) (bytes.get(bytes.limit() - 1) ^ 1));
        });
  }

  private static Arguments wrongSeal(Fault fault, String why, long frames, long digest) {
    return wrong(
        fault,
        why,
        sent -> {
          Seal seal = WireFrames.seal(sent.remove(sent.size() - 1));
          sent.add(
              new Seal(seal.frameCount() + frames, seal.digest() + digest)
                  .toFrame(FrameType.SEAL, 0));
        });
  }

  static Stream<Arguments> wrongFrames() {
    return Stream.of(
        wrong(PROTOCOL_VIOLATION, "a SEGMENT frame before the manifest", sent -> sent.remove(0)),
        wrong(
            PROTOCOL_VIOLATION,
            "a SEAL frame before the manifest",
            sent -> sent.subList(0, sent.size() - 1).clear()),
        wrong(
            MANIFEST, "the manifest came twice", sent -> sent.add(3, CargoBytes.copy(sent.get(0)))),
        wrong(
            MANIFEST,
            "the manifest is of transaction",
            sent -> sent.set(0, CargoBytes.framesOf(RandomCargo.of(2, 10)).get(0))),
        wrong(SEGMENT_REPEATED, "came twice", sent -> sent.add(2, CargoBytes.copy(sent.get(1)))),
        wrong(
            PROTOCOL_VIOLATION,
            "a CHUNK frame in a shipment of segments",
            sent -> FrameHeader.write(sent.get(1), FrameType.CHUNK, 0)),
        wrong(
            SEGMENT_MISSING,
            "rows 0 to 0) is missing, though all",
            sent -> {
              Seal seal = WireFrames.seal(sent.remove(sent.size() - 1));
              sent.set(
                  sent.size() - 1,
                  new Seal(seal.frameCount() - 1, seal.digest()).toFrame(FrameType.SEAL, 0));
            }),
        wrongSegment(
            PROTOCOL_VIOLATION,
            "is outside the",
            sent -> sent.get(1).putInt(FrameHeader.BYTES, sent.size() - 2)),
        wrongSegment(
            PROTOCOL_VIOLATION,
            "comes with serializer 1",
            sent -> sent.get(1).put(FrameHeader.BYTES + 4, (byte) 1)),
        wrongSegment(
            DECODE,
            "segment 0 (inserted values of wide.",
            sent -> {
              ByteBuffer cut = sent.get(1).limit(sent.get(1).limit() - 1);
              cut.putInt(FrameHeader.BYTES + 8, cut.limit() - FrameHeader.BYTES - 16);
            }),
        wrongSegment(
            DECODE,
            "states 7 serialized bytes",
            sent -> sent.get(1).putInt(FrameHeader.BYTES + 8, 7)),
        flippedBit(FrameType.MANIFEST, sent -> sent),
        flippedBit(FrameType.SEGMENT, sent -> sent.subList(1, 2)),
        flippedBit(FrameType.SEAL, sent -> sent.subList(sent.size() - 1, sent.size())),
        wrongSeal(SEGMENT_MISSING, "the seal states", 1, 0),
        wrongSeal(DIGEST, "the seal states digest", 0, 1));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("wrongFrames")
  void refusesByName(Spoiling spoiling, Fault fault, String why) throws Exception {
    spoiling.spoil(frames);
    deliver(accept(replies), frames);
    assertFailed(fault, why);
  }

  @Test
  void sealMayOvertakeTheLastSegments() throws Exception {
    frames.add(1, frames.remove(frames.size() - 1));
    deliver(accept(replies), frames);

    assertThat(committed.take()).isEqualTo(CargoDigest.of(CARGO));
    replies.whenCommitted().get();
  }

  @Test
  void sealWaitsForAMissingSegmentUntilTheShipmentIsAborted() throws Exception {
    frames.remove(frames.size() - 2);
    ShipmentHandler handler = accept(replies);
    deliver(handler, frames);
    Waiting.await(() -> openLeases.get() == 0);

    assertThat(replies.whenHeld()).isNotDone();
    assertThat(replies.whenFailed()).isNotDone();
    handler.onAborted(new ShipmentException(Fault.PEER_GONE, "gone"));
  }

  @Test
  void refusesSecondSeal() throws Exception {
    CountDownLatch gate = new CountDownLatch(1);
    try (CodecPool pool = new CodecPool(1, "blocked")) {
      pool.submit(codec -> Waits.uninterrupted(gate::await));
      SegmentsDecoding handler = newReceiver(pool);
      frames.add(CargoBytes.copy(last()));
      deliver(handler, frames);
      gate.countDown();
    }
    assertFailed(Fault.PROTOCOL_VIOLATION, "a second seal");
  }

  @Test
  void segmentsThatOvertakeTheReadingOfTheManifestWait() throws Exception {
    CountDownLatch gate = new CountDownLatch(1);
    try (CodecPool pool = new CodecPool(1, "blocked")) {
      pool.submit(codec -> Waits.uninterrupted(gate::await));
      deliver(newReceiver(pool), frames);
      assertThat(openLeases).as("all but the seal wait").hasValue(frames.size() - 1);
      gate.countDown();
      assertThat(replies.whenHeld().get().frameCount()).isEqualTo(frames.size() - 2);
    }
    assertThat(committed.take()).isZero();
  }

  @Test
  void abortedShipmentReleasesWhatWaitsForTheManifest() throws Exception {
    CountDownLatch gate = new CountDownLatch(1);
    try (CodecPool pool = new CodecPool(1, "blocked")) {
      pool.submit(codec -> Waits.uninterrupted(gate::await));
      ShipmentHandler handler = newReceiver(pool);
      deliver(handler, frames);
      handler.onAborted(new ShipmentException(Fault.PEER_GONE, "gone"));
      assertThat(openLeases).as("the manifest alone is under way").hasValue(1);
      gate.countDown();
    }
    assertThat(openLeases).hasValue(0);
  }

  @Test
  void settlesWhenTheLastFrameIsDecoded() throws Exception {
    CountDownLatch gate = new CountDownLatch(1);
    try (CodecPool pool = new CodecPool(1, "blocked")) {
      ShipmentHandler handler = newReceiver(pool);
      assertThat(handler.isResumable()).isTrue();
      assertThat(handler.settled().get()).as("before the manifest").isEqualTo(new BitSet());
      deliver(handler, frames.subList(0, 1));
      Waiting.await(() -> openLeases.get() == 0);
      assertThat(handler.settled().get()).as("after the manifest").isEqualTo(new BitSet());
      pool.submit(codec -> Waits.uninterrupted(gate::await));
      deliver(handler, frames.subList(2, 5));
      CompletableFuture<BitSet> settled = handler.settled();
      CompletableFuture<BitSet> again = handler.settled();
      assertThat(settled).isNotDone();
      gate.countDown();
      assertThat(settled.get()).isEqualTo(bits(1, 4)).isEqualTo(again.get());
      assertThat(openLeases).hasValue(0);

      deliver(handler, List.of(frames.get(0), frames.get(1)));
      deliver(handler, frames.subList(5, frames.size()));
      replies.whenHeld().get();
      assertThat(handler.settled().get().nextClearBit(0)).isGreaterThan(frames.size());
    }
    assertThat(committed.take()).isZero();
  }

  @Test
  void takesAnotherSealAfterItSettled() throws Exception {
    ShipmentHandler handler = accept(replies);
    Seal honest = WireFrames.seal(last());
    deliver(handler, frames.subList(0, 2));
    deliver(handler, List.of(new Seal(honest.frameCount(), 7).toFrame(FrameType.SEAL, 0)));
    assertThat(handler.settled().get()).isEqualTo(bits(0, 1));

    deliver(handler, frames.subList(2, frames.size()));
    assertThat(committed.take()).isEqualTo(CargoDigest.of(CARGO));
    replies.whenCommitted().get();
  }

  @Test
  void refusesAnotherManifestAfterItSettled() throws Exception {
    ShipmentHandler handler = accept(replies);
    deliver(handler, frames.subList(0, 1));
    handler.settled().get();
    deliver(handler, CargoBytes.framesOf(RandomCargo.of(1, 999)).subList(0, 1));

    assertFailed(Fault.MANIFEST, "the manifest came twice");
    assertThat(handler.settled()).isCompletedExceptionally();
  }

  private static BitSet bits(int from, int to) {
    BitSet bits = new BitSet();
    bits.set(from, to);
    return bits;
  }

  private SegmentsDecoding newReceiver(CodecPool pool) {
    return new SegmentsDecoding(
        CargoBytes.headerOf(CARGO),
        CargoBytes.RAW,
        Compressors.ofName("none"),
        pool,
        new InMemory(),
        new DrayageMetrics());
  }

  /** Accepts every cargo, and counts it. */
  private final class InMemory implements CargoIntake {
    @Override
    public long maxCargoBytes() {
      return RAW_BYTES;
    }

    @Override
    public CargoSink open(Manifest manifest, Lease frame) throws ShipmentException {
      return new CargoAssembler(manifest);
    }

    @Override
    public void received(Seal seal) {
      replies.held(seal);
      committed.add(0L);
    }

    @Override
    public void failed(ShipmentException cause) {
      replies.failed(cause);
    }
  }

  @Test
  void ignoresWhatFollowsAWholeCargo() throws Exception {
    ShipmentHandler handler = accept(replies);
    deliver(handler, frames);
    assertThat(committed.take()).isEqualTo(CargoDigest.of(CARGO));
    // Only now has the shipment released its share of the receiver's memory.
    replies.whenCommitted().get();

    deliver(handler, CargoBytes.framesOf(CARGO));
    assertThat(replies.whenFailed()).isNotDone();
  }

  @Test
  void refusesCargoAboveTheLimit() throws Exception {
    ChangeCargo larger = RandomCargo.of(1, 2_000);
    ShipmentHandler handler = receiver.accept(CargoBytes.headerOf(larger), replies);
    deliver(handler, CargoBytes.framesOf(larger));
    assertFailed(Fault.LIMIT, format("exceeds the limit of %,d", RAW_BYTES));
  }

  @Test
  void refusesCargoForWhichThereIsNoRoomNow() throws Exception {
    ShipmentHandler first = accept(new RecordingReplies(0));
    deliver(first, frames.subList(0, 1));
    // A codec thread has read its manifest.
    first.settled().get();

    deliver(accept(replies), CargoBytes.framesOf(CARGO));

    assertFailed(Fault.BUSY, format("no room for %,d bytes now", MEMORY_BYTES));
    first.onAborted(new ShipmentException(Fault.PEER_GONE, "gone"));
  }

  @Test
  void refusesCargoThatTheDatabaseHasNoRoomForWhenItsManifestHasCome() throws Exception {
    full = true;
    deliver(accept(replies), frames.subList(0, 1));
    assertFailed(Fault.FULL, format("%,d", RAW_BYTES));
    assertThat(receiver.receivingBytes()).isZero();
    assertThat(receiver.shipmentsUnderWay()).isZero();
    full = false;
  }

  /** A cargo that fails with FULL has no effect, but the other shipment may still have one. */
  @Test
  void leavesItToTheCommitWhileAnotherShipmentOfTheTransactionIsUnderWay() throws Exception {
    ShipmentHandler earlier = accept(new RecordingReplies(0));
    full = true;
    deliver(accept(replies), frames);

    assertThat(committed.take()).isEqualTo(CargoDigest.of(CARGO));
    replies.whenCommitted().get();
    full = false;
    earlier.onAborted(new ShipmentException(Fault.PEER_GONE, "gone"));
  }

  @Test
  void takesTheRoomOfACargoThatHardlyMovesWhileOthersWait() throws Exception {
    RecordingReplies trickling = new RecordingReplies(0);
    ShipmentHandler slow = accept(trickling);
    deliver(slow, frames.subList(0, 1));
    slow.settled().get();
    deliver(slow, frames.subList(1, 2));
    slow.settled().get();
    for (long s = 0; s < ShipmentPace.WINDOW.toSeconds() - 1; s++) {
      waitForRoom(new RecordingReplies(0));
    }
    assertThat(trickling.whenFailed()).isNotDone();

    waitForRoom(replies);

    assertFailed(Fault.BUSY, format("no room for %,d bytes now", MEMORY_BYTES));
    assertThat(trickling.whenFailed().get().fault()).isEqualTo(Fault.BUSY);
    assertThat(trickling.whenFailed().get())
        .hasMessageContaining(format("others wait for the %,d bytes", MEMORY_BYTES));
  }

  private void waitForRoom(RecordingReplies answers) throws Exception {
    nowNs.addAndGet(ShipmentPace.LONGEST_GAP.toNanos());
    deliver(accept(answers), CargoBytes.framesOf(CARGO));
    assertThat(answers.whenFailed().get().fault()).isEqualTo(Fault.BUSY);
  }

  @Test
  void refusesMoreShipmentsThanItsLimit() throws Exception {
    List<ShipmentHandler> shipments = List.of(accept(replies), accept(replies));

    Refusals.assertFault(Fault.BUSY, () -> accept(new RecordingReplies(0)))
        .hasMessageContaining("all 2 places are taken by 2 shipments of '");
    for (ShipmentHandler shipment : shipments) {
      shipment.onAborted(new ShipmentException(Fault.PEER_GONE, "gone"));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "SEGMENTS, 250, serializer number 250 is unknown",
    "SEGMENTS, 200, 'serializer ''delta'' is not allowed here, only [raw]: use one of them, or'",
    "STREAM, 200, 'serializer ''delta'' is not allowed here, only [raw]: use one of them, or'",
    "STREAM, 2, 'the stream pipeline cannot be received here: no PipelineReceiver for it is on'",
  })
  void refusesCodecsByName(Pipeline pipeline, int serializer, String why) {
    ShipmentHeader header =
        ShipmentHeaders.of(CARGO.transactionId(), 1, pipeline, serializer, 1, "w");
    Refusals.assertFault(Fault.REFUSED, () -> receiver.accept(header, replies))
        .hasMessageContaining(why);
    assertThat(receiver.shipmentsUnderWay()).isZero();
  }

  @Test
  void takesSerializerThatIsAllowed() throws Exception {
    ReceiverLimits limits =
        new ReceiverLimits(1 << 20, 1 << 20, 1).allowing(Serializers.ofName("delta"));
    ShipmentHeader header =
        ShipmentHeaders.of(CARGO.transactionId(), 1, ShipmentHeader.Pipeline.SEGMENTS, 200, 1, "w");
    try (CargoReceiver allowing = new CargoReceiver(cargo -> 1, limits, 1)) {
      assertThat(allowing.accept(header, replies)).isNotNull();
    }
  }

  @Test
  void refusesToAllowOrRefuseWhatThereIsNot() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> new AllowedCodecs(Set.of(Pipeline.SEGMENTS), Set.of("raw", "jvaa"), Set.of()))
        .withMessageContaining("serializer 'jvaa' is unknown");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> AllowedCodecs.DATA_ONLY.refusing("jvaa"))
        .withMessageContaining("'jvaa' is no pipeline, serializer or compressor");
  }

  @Test
  void refusesPipelineSerializerOrCompressorThatMembersDoNotRead() {
    for (String refused : List.of("segments", "raw", "none")) {
      ReceiverLimits limits =
          new ReceiverLimits(1 << 20, 1 << 20, 1).with(AllowedCodecs.DATA_ONLY.refusing(refused));
      try (CargoReceiver strict = new CargoReceiver(cargo -> 1, limits, 1)) {
        Refusals.assertFault(
                Fault.REFUSED, () -> strict.accept(CargoBytes.headerOf(CARGO), replies))
            .hasMessageContaining("'%s' is not allowed here, only [".formatted(refused));
      }
    }
  }

  private void assertFailed(Fault fault, String why) throws Exception {
    ShipmentException failure = replies.whenFailed().get();
    assertThat(failure).hasMessageContaining(why);
    assertThat(failure.fault()).as(failure.getMessage()).isEqualTo(fault);
    assertThat(replies.whenHeld()).isNotDone();
  }

  private ShipmentHandler accept(RecordingReplies answers) throws ShipmentException {
    return receiver.accept(CargoBytes.headerOf(CARGO), answers);
  }

  private void deliver(ShipmentHandler handler, List<ByteBuffer> sent) {
    WireFrames.deliver(handler, sent, openLeases);
  }

  private ByteBuffer last() {
    return frames.get(frames.size() - 1);
  }
}
