package io.drayage.transport.netty;

import static io.drayage.testing.Refusals.assertFault;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentException.Outcome;
import io.drayage.internal.Waits;
import io.drayage.receive.CargoCommitter;
import io.drayage.receive.CargoReceiver;
import io.drayage.receive.ReceivedCargo;
import io.drayage.receive.ReceiverLimits;
import io.drayage.receive.ShipmentRecording;
import io.drayage.send.SegmentsSender;
import io.drayage.send.SendOptions;
import io.drayage.send.SendReport;
import io.drayage.testing.CargoBytes;
import io.drayage.testing.Ends;
import io.drayage.testing.Waiting;
import io.drayage.testing.Waiting.Running;
import io.drayage.transport.PeerLimits;
import io.drayage.transport.TransportOptions;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The outcome of its cargo that a worker gets, whichever end stops the shipment, and when. */
final class ShipmentOutcomeTest {
  private static final TransportOptions OPTIONS =
      TransportOptions.builder().drainTimeout(Duration.ZERO).connections(1).build();

  private final Ends ends = new Ends(NettyTransport.best(), OPTIONS);
  private final AtomicInteger applied = new AtomicInteger();

  /** Opened when the committer is called, which then waits for {@code answer}. */
  private final CountDownLatch committing = new CountDownLatch(1);

  private final CompletableFuture<Long> answer = new CompletableFuture<>();
  private CargoReceiver receiver;
  private SegmentsSender sender;
  private volatile boolean interruptedAfterwards;

  @BeforeEach
  void start() {
    listen(ends, this::commit);
  }

  private void listen(Ends with, CargoCommitter<ShipmentRecording> committer) {
    receiver =
        with.receive(
            CargoReceiver.builder(committer, new ReceiverLimits(1 << 20, 1 << 20, 8), 1).build());
    sender = with.sender();
  }

  @AfterEach
  void stop() {
    answer.complete(1L);
    ends.close();
  }

  private CompletableFuture<Long> commit(ReceivedCargo<ShipmentRecording> cargo) {
    applied.incrementAndGet();
    committing.countDown();
    return answer;
  }

  private static ChangeCargo cargo(long[]... pages) {
    return CargoBytes.cargoOf(ColumnValues.of(pages));
  }

  private Running<SendReport> sendLater(ChangeCargo cargo) {
    return Waiting.start(
        () -> {
          try {
            return sender.send(cargo);
          } finally {
            interruptedAfterwards = Thread.currentThread().isInterrupted();
          }
        });
  }

  private static Throwable causeOf(Running<SendReport> sending) {
    return catchThrowableOfType(ExecutionException.class, sending::get).getCause();
  }

  private static ShipmentException failureOf(Running<SendReport> sending) {
    assertThat(causeOf(sending)).isInstanceOf(ShipmentException.class);
    return (ShipmentException) causeOf(sending);
  }

  private enum End {
    SERVER_CLOSED,
    RECEIVER_REFUSES,
    SENDER_CLOSED,
    INTERRUPTED
  }

  private void cause(End end, Thread sendingThread) {
    switch (end) {
      case SERVER_CLOSED -> ends.server().close();
      case RECEIVER_REFUSES -> receiver.refuse(new ShipmentException(Fault.CANCELLED, "no more"));
      case SENDER_CLOSED -> sender.close();
      case INTERRUPTED -> sendingThread.interrupt();
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = End.class,
      names = {"SERVER_CLOSED", "SENDER_CLOSED", "INTERRUPTED"})
  void isUnknownWhileTheCommitterWorks(End end) throws Exception {
    Running<SendReport> sending = sendLater(cargo(new long[] {1, 2}));
    committing.await();

    cause(end, sending.thread());

    ShipmentException failure = failureOf(sending);
    assertThat(failure.fault()).isEqualTo(Fault.CANCELLED);
    assertThat(failure.outcome()).isEqualTo(Outcome.UNKNOWN);
    assertThat(interruptedAfterwards).isEqualTo(end == End.INTERRUPTED);
  }

  /** Leaves out a closed server: the seal may be in flight before the worker learns of the end. */
  @ParameterizedTest
  @EnumSource(value = End.class, mode = EnumSource.Mode.EXCLUDE, names = "SERVER_CLOSED")
  void isNotAppliedWhileTheCargoIsBeingMade(End end) throws Exception {
    CountDownLatch making = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(1);
    ChangeCargo cargo =
        CargoBytes.cargoOf(
            ColumnValues.onDemand(
                ColumnType.LONG,
                2,
                64,
                page -> {
                  making.countDown();
                  Waits.uninterrupted(ended::await);
                  // Otherwise all of it may be sent before the sender learns of its end.
                  throw new IllegalStateException("never made");
                }));
    Running<SendReport> sending = sendLater(cargo);
    making.await();

    Running<Boolean> ending =
        Waiting.start(
            () -> {
              cause(end, sending.thread());
              return true;
            });
    if (end != End.INTERRUPTED && end != End.SENDER_CLOSED) {
      assertThat(ending.get()).isTrue();
    }
    ended.countDown();
    assertThat(ending.get()).isTrue();

    Throwable failure = causeOf(sending);
    if (failure instanceof ShipmentException named) {
      assertThat(named.outcome()).isEqualTo(Outcome.NOT_APPLIED);
    } else {
      assertThat(failure).isInstanceOf(InterruptedException.class);
    }
    assertThat(applied).hasValue(0);
  }

  /** Ends the shipment before its cargo; null: the cargo is too large. */
  @ParameterizedTest
  @CsvSource({
    "SERVER_CLOSED, PEER_GONE, 1",
    "SENDER_CLOSED, CANCELLED, 1",
    "RECEIVER_REFUSES, CANCELLED, 1",
    ", LIMIT, 262144",
  })
  void isNotAppliedIfTheEndComesFirst(@Nullable End end, Fault fault, int rows) throws Exception {
    if (end != null) {
      cause(end, Thread.currentThread());
    }

    ShipmentException failure = failureOf(sendLater(cargo(new long[rows])));

    assertThat(failure.fault()).isEqualTo(fault);
    assertThat(failure.outcome()).isEqualTo(Outcome.NOT_APPLIED);
  }

  @ParameterizedTest
  @EnumSource
  void isWhatTheCommitterSays(Outcome outcome) throws Exception {
    answer.completeExceptionally(new ShipmentException(Fault.REJECTED, "no").withOutcome(outcome));

    ShipmentException failure = failureOf(sendLater(cargo(new long[] {1})));

    assertThat(failure.fault()).isEqualTo(Fault.REJECTED);
    assertThat(failure.outcome()).isEqualTo(outcome);
    assertThat(failure.isStatedByPeer()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void isUnknownIfTheCommitterFails(boolean later) throws Exception {
    IllegalStateException boom = new IllegalStateException("boom");
    listen(
        ends,
        cargo -> {
          if (later) {
            return CompletableFuture.failedFuture(boom);
          }
          throw boom;
        });

    ShipmentException failure = failureOf(sendLater(cargo(new long[] {1})));

    assertThat(failure.fault()).isEqualTo(Fault.INTERNAL);
    assertThat(failure.outcome()).isEqualTo(Outcome.UNKNOWN);
    assertThat(failure).hasMessageContaining("boom").hasMessageContaining("transactor's log");
  }

  @Test
  void isSettledBySendingTheSameTransactionAgain() throws Exception {
    ChangeCargo cargo = cargo(new long[] {1, 2});
    Running<SendReport> first = sendLater(cargo);
    committing.await();
    first.thread().interrupt();
    assertThat(failureOf(first).outcome()).isEqualTo(Outcome.UNKNOWN);

    Running<SendReport> second = sendLater(cargo);
    answer.complete(42L);

    assertThat(second.get().snapshotTimestamp()).isEqualTo(42);
    assertThat(sender.send(cargo).snapshotTimestamp()).isEqualTo(42);
    assertThat(applied).hasValue(1);
  }

  private void assertFailsWithin(int ms, Fault fault, String message) {
    ChangeCargo late = CargoBytes.cargoOf(UUID.randomUUID(), ColumnValues.of(new long[][] {{3}}));
    SendOptions brief = SendOptions.DEFAULT.within(Duration.ofMillis(ms));
    assertFault(fault, () -> sender.send(late, brief)).hasMessageContaining(message);
  }

  @Test
  void isNotWaitedForBeyondTheDeadline() {
    assertFailsWithin(200, Fault.CANCELLED, "the deadline of 200 ms");
  }

  @Test
  void namesTheLimitWithoutRoomUntilTheDeadline() throws Exception {
    PeerLimits one = new PeerLimits(100, 100, 1, 96 << 20);
    try (Ends narrow =
        new Ends(NettyTransport.best(), OPTIONS.toBuilder().peerLimits(one).build())) {
      listen(narrow, this::commit);
      Running<SendReport> first = sendLater(cargo(new long[] {1}));
      committing.await();

      assertFailsWithin(300, Fault.BUSY, "the limit is 1 (PeerLimits.maxShipmentsPerPeer)");
      answer.complete(9L);
      assertThat(first.get().snapshotTimestamp()).isEqualTo(9);
    }
  }

  @Test
  void aReceiverThatIsClosedBeforeItsServerSaysThatItShutsDown() {
    receiver.close();

    assertThat(failureOf(sendLater(cargo(new long[] {1}))))
        .hasMessageContaining("the transactor is shutting down");
  }

  @ParameterizedTest
  @ValueSource(strings = {"raw", "columnar"})
  void anErrorWhileACargoIsEncodedEndsItsShipmentAlone(String serializer) throws Exception {
    ColumnValues broken =
        ColumnValues.onDemand(
            ColumnType.INT,
            10,
            10,
            page -> {
              throw new OutOfMemoryError("said by a test");
            });
    sender = ends.sender(serializer, "none");
    assertFault(Fault.INTERNAL, () -> sender.send(CargoBytes.cargoOf(broken)))
        .hasMessageContaining("said by a test");
    answer.complete(5L);
    assertThat(sender.send(cargo(new long[] {1})).snapshotTimestamp()).isEqualTo(5);
  }
}
