package io.drayage.transport.netty;

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
import io.drayage.send.SendReport;
import io.drayage.testing.CargoBytes;
import io.drayage.testing.Ends;
import io.drayage.transport.TransportOptions;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The outcome of its cargo that a worker gets, whichever end stops the shipment, and when. */
@Timeout(60)
final class ShipmentOutcomeTest {
  private static final TransportOptions OPTIONS =
      TransportOptions.builder().drainTimeout(Duration.ZERO).connections(1).build();

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Ends ends = new Ends(NettyTransport.best(), OPTIONS);
  private final AtomicInteger applied = new AtomicInteger();

  /** Opened when the committer is called, which then waits for {@code answer}. */
  private final CountDownLatch committing = new CountDownLatch(1);

  private final CompletableFuture<Long> answer = new CompletableFuture<>();
  private CargoReceiver receiver;
  private SegmentsSender sender;

  @BeforeEach
  void start() {
    listen(this::commit);
  }

  private void listen(CargoCommitter<ShipmentRecording> committer) {
    receiver =
        ends.receive(
            CargoReceiver.builder(committer, new ReceiverLimits(1 << 20, 1 << 20, 8), 1).build());
    sender = ends.sender();
  }

  @AfterEach
  void stop() {
    answer.complete(1L);
    ends.close();
    threads.shutdownNow();
  }

  private CompletableFuture<Long> commit(ReceivedCargo<ShipmentRecording> cargo) {
    applied.incrementAndGet();
    committing.countDown();
    return answer;
  }

  private static ChangeCargo cargo(long[]... pages) {
    return CargoBytes.cargoOf(ColumnValues.of(pages));
  }

  private Future<SendReport> sendLater(ChangeCargo cargo) {
    return threads.submit(() -> sender.send(cargo));
  }

  private static ShipmentException failureOf(Future<SendReport> sending)
      throws InterruptedException, TimeoutException {
    try {
      SendReport report = sending.get(30, TimeUnit.SECONDS);
      throw new AssertionError("it was committed: " + report);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof ShipmentException failure) {
        return failure;
      }
      throw new AssertionError("it failed otherwise", e.getCause());
    }
  }

  private enum End {
    SERVER_CLOSED,
    RECEIVER_REFUSES,
    SENDER_CLOSED,
    INTERRUPTED
  }

  private void cause(End end, Future<SendReport> unusedSending, Thread sendingThread) {
    switch (end) {
      case SERVER_CLOSED -> ends.server().close();
      case RECEIVER_REFUSES -> receiver.refuse(new ShipmentException(Fault.CANCELLED, "no more"));
      case SENDER_CLOSED -> sender.close();
      case INTERRUPTED -> sendingThread.interrupt();
    }
  }

  /** The result of one thread that sends. */
  private static final class Sending {
    final CompletableFuture<SendReport> outcome = new CompletableFuture<>();
    volatile boolean interruptedAfterwards;
    final Thread thread;

    Sending(SegmentsSender sender, ChangeCargo cargo) {
      thread =
          new Thread(
              () -> {
                try {
                  outcome.complete(sender.send(cargo));
                } catch (Throwable e) {
                  interruptedAfterwards = Thread.currentThread().isInterrupted();
                  outcome.completeExceptionally(e);
                }
              });
      thread.setDaemon(true);
      thread.start();
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = End.class,
      names = {"SERVER_CLOSED", "SENDER_CLOSED", "INTERRUPTED"})
  void isUnknownWhileTheCommitterWorks(End end) throws Exception {
    Sending sending = new Sending(sender, cargo(new long[] {1, 2}));
    committing.await();

    cause(end, sending.outcome, sending.thread);

    ShipmentException failure = failureOf(sending.outcome);
    assertThat(failure.fault()).isEqualTo(Fault.CANCELLED);
    assertThat(failure.outcome()).isEqualTo(Outcome.UNKNOWN);
    assertThat(sending.interruptedAfterwards).isEqualTo(end == End.INTERRUPTED);
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
    Sending sending = new Sending(sender, cargo);
    making.await();

    Future<?> ending = threads.submit(() -> cause(end, sending.outcome, sending.thread));
    if (end != End.INTERRUPTED && end != End.SENDER_CLOSED) {
      ending.get();
    }
    ended.countDown();
    ending.get();

    Throwable failure =
        catchThrowableOfType(ExecutionException.class, () -> sending.outcome.get()).getCause();
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
      cause(end, new CompletableFuture<>(), Thread.currentThread());
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
    Sending first = new Sending(sender, cargo);
    committing.await();
    first.thread.interrupt();
    assertThat(failureOf(first.outcome).outcome()).isEqualTo(Outcome.UNKNOWN);

    Future<SendReport> second = sendLater(cargo);
    answer.complete(42L);

    assertThat(second.get(30, TimeUnit.SECONDS).snapshotTimestamp()).isEqualTo(42);
    assertThat(sender.send(cargo).snapshotTimestamp()).isEqualTo(42);
    assertThat(applied).hasValue(1);
  }
}
