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
import io.drayage.testing.CargoBytes;
import io.drayage.testing.Waiting;
import io.drayage.transport.RecordingReplies;
import io.drayage.transport.ShipmentHandler;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a receiver and a recorder do with the same frames. */
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
      CargoReceiver.builder(new LateCommitter(), new ReceiverLimits(MAX_BYTES, MAX_BYTES, 2), 2)
          .recorder(
              (header, onFailed) -> {
                recording.onFailed = onFailed;
                return recording;
              })
          .build();

  /** Keeps every lease until it is told to release it. */
  private static final class SlowRecording implements ShipmentRecording {
    private final Queue<Lease> frames = new ConcurrentLinkedQueue<>();
    private final Queue<FrameType> types = new ConcurrentLinkedQueue<>();
    private final CompletableFuture<Seal> sealed = new CompletableFuture<>();
    private final AtomicBoolean discarded = new AtomicBoolean();
    private volatile Consumer<ShipmentException> onFailed = cause -> {};

    @Override
    public void onFrame(Lease frame) {
      types.add(FrameHeader.type(frame.buffer()));
      frames.add(frame);
    }

    @Override
    public void seal(Seal seal) {
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

  /** Answers when the test does. */
  private final class LateCommitter implements CargoCommitter {
    @Override
    public CompletableFuture<Long> commit(ReceivedCargo received) {
      ReceivedCargo.Recorded cargo = (ReceivedCargo.Recorded) received;
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
    for (ByteBuffer frame : frames) {
      openLeases.incrementAndGet();
      handler.onFrame(new Lease(frame, openLeases::decrementAndGet));
    }
  }

  @Test
  void recorderSeesEveryFrameAndCreditWaitsForBoth() throws Exception {
    List<ByteBuffer> frames = CargoBytes.framesOf(CARGO);
    deliver(accept(), frames);

    Seal seal = replies.whenHeld().get();
    assertThat(recording.sealed.get()).isEqualTo(seal);
    assertThat(recording.frames).hasSameSizeAs(frames);
    assertThat(openLeases).hasValue(frames.size());
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

  @Test
  void aRecordingThatFailsEndsTheShipment() throws Exception {
    List<ByteBuffer> frames = CargoBytes.framesOf(CARGO);
    ShipmentHandler handler = accept();
    deliver(handler, frames.subList(0, 3));
    recording.onFailed.accept(new ShipmentException(Fault.REFUSED, "the disk is full"));

    assertThat(replies.whenFailed().get()).hasMessage("the disk is full");
    assertThat(recording.discarded).isTrue();
    deliver(handler, frames.subList(3, frames.size()));
    assertThat(replies.whenHeld()).isNotDone();
  }

  @Test
  void aShipmentThatFailsDiscardsItsRecording() throws Exception {
    List<ByteBuffer> frames = CargoBytes.framesOf(CARGO);
    ByteBuffer second = frames.get(1);
    second.put(second.limit() - 1, (byte) ~second.get(second.limit() - 1));
    deliver(accept(), frames.subList(0, 2));

    assertThat(replies.whenFailed().get().fault()).isEqualTo(Fault.CHECKSUM);
    Waiting.await(recording.discarded::get);
  }

  @Test
  void anAbortedShipmentDiscardsItsRecording() throws Exception {
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
    // The transport resumes when these are released too.
    assertThat(openLeases).hasValue(4);
    recording.release();
    Waiting.await(() -> openLeases.get() == 0);
    deliver(handler, List.of(frames.get(0).duplicate().order(ByteOrder.LITTLE_ENDIAN)));
    deliver(handler, frames.subList(4, frames.size()));
    replies.whenHeld().get();
    assertThat(recording.types.stream().filter(FrameType.MANIFEST::equals)).hasSize(2);
    answer.complete(8L);
    assertThat(replies.whenCommitted().get()).isEqualTo(8);
  }
}
