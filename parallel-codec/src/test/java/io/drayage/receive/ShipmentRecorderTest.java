package io.drayage.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.RandomCargo;
import io.drayage.frame.Fault;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.FrameType;
import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentException;
import io.drayage.memory.Lease;
import io.drayage.segment.SegmentHeader;
import io.drayage.testing.CargoBytes;
import io.drayage.testing.Waiting;
import io.drayage.testing.WireFrames;
import io.drayage.transport.RecordingReplies;
import io.drayage.transport.ShipmentHandler;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A receiver and a recorder with the same frames. */
@Timeout(180)
final class ShipmentRecorderTest {
  private static final ChangeCargo CARGO = RandomCargo.of(1, 1_000);
  private static final long MAX_BYTES = 64 << 20;

  private final AtomicInteger openLeases = new AtomicInteger();
  private final AtomicLong committed = new AtomicLong();
  private final CompletableFuture<Long> answer = new CompletableFuture<>();
  private final SlowRecording recording = new SlowRecording();
  private final RecordingReplies replies = new RecordingReplies(0);
  private final CargoReceiver receiver =
      CargoReceiver.recording(
              new LateCommitter(),
              (header, onFailed) -> {
                recording.onFailed = onFailed;
                recording.whenBegun.run();
                return recording;
              },
              new ReceiverLimits(MAX_BYTES, MAX_BYTES, 2),
              2)
          .build();

  /** Keeps every lease until {@link #release}. */
  private static final class SlowRecording implements ShipmentRecording {
    private final Queue<Lease> frames = new ConcurrentLinkedQueue<>();
    private final Queue<FrameType> types = new ConcurrentLinkedQueue<>();
    private final CompletableFuture<Seal> sealed = new CompletableFuture<>();
    private final AtomicBoolean discarded = new AtomicBoolean();
    private final Seal.Digest digest = new Seal.Digest();
    private volatile Consumer<ShipmentException> onFailed = cause -> {};
    private volatile Runnable whenBegun = () -> {};
    private volatile Consumer<FrameType> whenKept = type -> {};
    private volatile Runnable whenSealed = () -> {};
    private volatile boolean refusesToSeal;

    @Override
    public void keep(Lease frame) {
      ByteBuffer bytes = frame.buffer();
      FrameType type = FrameHeader.type(bytes);
      types.add(type);
      if (type == FrameType.SEGMENT) {
        digest.add(SegmentHeader.segmentIndex(bytes), FrameHeader.checksum(bytes));
      }
      frames.add(frame);
      if (discarded.get()) {
        release();
      }
      whenKept.accept(type);
    }

    @Override
    public void seal(Seal seal) throws ShipmentException {
      whenSealed.run();
      assertThat(digest.seal()).isEqualTo(seal);
      assertThat(types).hasSize((int) seal.frameCount() + 1).startsWith(FrameType.MANIFEST);
      if (refusesToSeal) {
        throw new ShipmentException(Fault.INTERNAL, "something else was recorded");
      }
      assertThat(sealed.complete(seal)).isTrue();
    }

    @Override
    public boolean isBehind() {
      return false;
    }

    @Override
    public void discard() {
      discarded.set(true);
      release();
    }

    void release() {
      for (Lease frame = frames.poll(); frame != null; frame = frames.poll()) {
        frame.close();
      }
    }
  }

  /** Answers when the test calls it. */
  private final class LateCommitter implements CargoCommitter<SlowRecording> {
    @Override
    public CompletableFuture<Long> commit(ReceivedCargo<SlowRecording> cargo) {
      assertThat(cargo.recording()).isSameAs(recording);
      committed.set(CargoDigest.of(cargo.cargo()));
      return answer;
    }
  }

  @AfterEach
  void everyLeaseIsReleased() {
    recording.release();
    Waiting.await(() -> openLeases.get() == 0 && receiver.shipmentsUnderWay() == 0);
    receiver.close();
  }

  private ShipmentHandler accept() throws ShipmentException {
    return receiver.accept(CargoBytes.headerOf(CARGO), replies);
  }

  private void deliver(ShipmentHandler handler, List<ByteBuffer> frames) {
    WireFrames.deliver(handler, frames, openLeases);
  }

  @Test
  void recorderSeesWhatWasDecodedAndCreditWaitsForBoth() throws Exception {
    List<ByteBuffer> frames = CargoBytes.framesOf(CARGO);
    deliver(accept(), frames);

    Seal seal = replies.whenHeld().get();
    assertThat(recording.sealed.get()).isEqualTo(seal);
    assertThat(recording.frames).as("all but the seal").hasSize(frames.size() - 1);
    assertThat(openLeases).hasValue(frames.size() - 1);
    for (Lease frame : recording.frames) {
      FrameHeader.verify(frame.buffer());
    }
    recording.release();
    assertThat(openLeases).hasValue(0);
    answer.complete(7L);
    assertThat(replies.whenCommitted().get()).isEqualTo(7);
    assertThat(recording.discarded).isFalse();
  }

  @Test
  void workerIsToldWhenTheCommitterAnswers() throws Exception {
    deliver(accept(), CargoBytes.framesOf(CARGO));
    Waiting.await(() -> committed.get() == CargoDigest.of(CARGO));
    assertThat(replies.whenCommitted()).isNotDone();
    answer.completeExceptionally(new ShipmentException(Fault.REFUSED, "no room in the store"));
    ShipmentException failure = replies.whenFailed().get();
    assertThat(failure.fault()).isEqualTo(Fault.REFUSED);
    assertThat(failure).hasMessage("no room in the store");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aRecordingThatFailsEndsTheShipment(boolean whileItBegins) throws Exception {
    List<ByteBuffer> frames = CargoBytes.framesOf(CARGO);
    Runnable fail =
        () -> recording.onFailed.accept(new ShipmentException(Fault.REFUSED, "the disk is full"));
    if (whileItBegins) {
      recording.whenBegun = fail;
    }
    ShipmentHandler handler = accept();
    deliver(handler, frames.subList(0, 3));
    if (!whileItBegins) {
      fail.run();
    }

    assertThat(replies.whenFailed().get()).hasMessage("the disk is full");
    assertThat(recording.discarded).isTrue();
    deliver(handler, frames.subList(3, frames.size()));
    assertThat(replies.whenHeld()).isNotDone();
  }

  @Test
  void aShipmentThatEndsDiscardsItsRecording() throws Exception {
    ShipmentHandler handler = accept();
    deliver(handler, CargoBytes.framesOf(CARGO).subList(0, 2));
    handler.onAborted(new ShipmentException(Fault.PEER_GONE, "gone"));
    assertThat(recording.discarded).isTrue();
  }

  @Test
  void aResumedShipmentWaitsForTheRecorderAndMayBringTheManifestAgain() throws Exception {
    List<ByteBuffer> frames = CargoBytes.framesOf(CARGO);
    ShipmentHandler handler = accept();
    deliver(handler, frames.subList(0, 4));

    assertThat(handler.settled().get().cardinality()).isEqualTo(3);
    // The transport resumes only after these are released.
    assertThat(openLeases).hasValue(4);
    recording.release();
    Waiting.await(() -> openLeases.get() == 0);
    deliver(handler, List.of(frames.get(0).duplicate().order(ByteOrder.LITTLE_ENDIAN)));
    deliver(handler, frames.subList(4, frames.size()));
    replies.whenHeld().get();
    assertThat(recording.types.stream().filter(FrameType.MANIFEST::equals)).hasSize(1);
    answer.complete(8L);
    assertThat(replies.whenCommitted().get()).isEqualTo(8);
  }

  @Test
  void aRecordingThatIsNotTheCargoEndsTheShipmentBeforeItIsHeld() throws Exception {
    recording.refusesToSeal = true;
    deliver(accept(), CargoBytes.framesOf(CARGO));

    assertThat(replies.whenFailed().get()).hasMessage("something else was recorded");
    assertThat(replies.whenHeld()).isNotDone();
    assertThat(committed).hasValue(0);
    assertThat(recording.discarded).isTrue();
  }

  /** The moment of a surplus frame. */
  private enum Moment {
    BEFORE_THE_LAST_SEGMENT,
    BEFORE_THE_SEAL,
    WHILE_THE_LAST_SEGMENT_IS_RECORDED,
    BETWEEN_THE_WHOLE_CARGO_AND_ITS_RECORD,
    WHEN_IT_IS_HELD,
    WHEN_IT_IS_COMMITTED,
  }

  static Stream<Arguments> surplusFrames() {
    return Arrays.stream(Moment.values())
        .flatMap(
            moment ->
                Stream.of(FrameType.MANIFEST, FrameType.SEGMENT, FrameType.CHUNK, FrameType.SEAL)
                    .map(type -> Arguments.of(moment, type)));
  }

  /** {@link SlowRecording#seal} compares the recorded frames with the decoded ones. */
  @ParameterizedTest
  @MethodSource("surplusFrames")
  void aSurplusFrameIsNeverRecordedWhenItComes(Moment moment, FrameType type) throws Exception {
    List<ByteBuffer> frames = CargoBytes.framesOf(CARGO);
    int last = frames.size() - 2;
    ByteBuffer surplus = surplus(type, frames);
    ShipmentHandler handler = accept();
    Runnable deliver = once(() -> deliver(handler, List.of(surplus)));
    switch (moment) {
      case BEFORE_THE_LAST_SEGMENT -> {
        deliver(handler, frames.subList(0, last));
        deliver.run();
        deliver(handler, frames.subList(last, frames.size()));
      }
      case BEFORE_THE_SEAL -> {
        deliver(handler, frames.subList(0, last + 1));
        deliver.run();
        deliver(handler, frames.subList(last + 1, frames.size()));
      }
      case WHILE_THE_LAST_SEGMENT_IS_RECORDED -> {
        recording.whenKept =
            kept -> {
              if (recording.types.size() == last + 1) {
                deliver.run();
              }
            };
        deliver(handler, frames);
      }
      case BETWEEN_THE_WHOLE_CARGO_AND_ITS_RECORD -> {
        recording.whenSealed = deliver;
        deliver(handler, frames);
      }
      case WHEN_IT_IS_HELD -> {
        deliver(handler, frames);
        replies.whenHeld().get();
        deliver.run();
        assertThat(replies.whenFailed().get().fault()).isEqualTo(Fault.PROTOCOL_VIOLATION);
        assertThat(replies.whenFailed().get())
            .hasMessageContaining("a %s frame arrived after the whole cargo".formatted(type));
      }
      case WHEN_IT_IS_COMMITTED -> {
        deliver(handler, frames);
        answer.complete(7L);
        replies.whenCommitted().get();
        deliver.run();
      }
    }
    Waiting.await(() -> recording.sealed.isDone() || recording.discarded.get());
    assertThat(recording.types).hasSizeLessThanOrEqualTo(last + 1).doesNotContain(FrameType.CHUNK);
    if (recording.sealed.isDone()) {
      Waiting.await(() -> committed.get() == CargoDigest.of(CARGO));
      answer.complete(7L);
      replies.whenCommitted().get();
    } else {
      replies.whenFailed().get();
      assertThat(replies.whenHeld()).isNotDone();
    }
  }

  private static Runnable once(Runnable action) {
    AtomicBoolean done = new AtomicBoolean();
    return () -> {
      if (done.compareAndSet(false, true)) {
        action.run();
      }
    };
  }

  private static ByteBuffer surplus(FrameType type, List<ByteBuffer> frames) {
    return switch (type) {
      case MANIFEST -> CargoBytes.copy(frames.get(0));
      case SEGMENT -> CargoBytes.copy(frames.get(1));
      case SEAL -> CargoBytes.copy(frames.get(frames.size() - 1));
      default -> WireFrames.of(FrameType.CHUNK, 0, (byte) 0);
    };
  }
}
