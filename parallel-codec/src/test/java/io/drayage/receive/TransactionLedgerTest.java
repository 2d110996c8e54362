package io.drayage.receive;

import static io.drayage.testing.Refusals.assertFails;
import static io.drayage.testing.Refusals.assertFault;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.RandomCargo;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.segment.Manifest;
import io.drayage.segment.SegmentPlanner;
import io.drayage.testing.ShipmentHeaders;
import io.drayage.testing.Waiting;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
final class TransactionLedgerTest {
  private static final ChangeCargo CARGO = RandomCargo.of(1, 10);

  private final List<UUID> calls = new ArrayList<>();
  private final List<CompletableFuture<Long>> answers = new ArrayList<>();
  private final TransactionLedger ledger = TransactionLedger.around(this::commit, 2);

  private CompletableFuture<Long> commit(ReceivedCargo<ShipmentRecording> cargo) {
    calls.add(cargo.header().transactionId());
    CompletableFuture<Long> answer = new CompletableFuture<>();
    answers.add(answer);
    return answer;
  }

  private static ShipmentHeader header(long transaction) {
    return ShipmentHeaders.of(
        new UUID(0, transaction), 0, ShipmentHeader.Pipeline.SEGMENTS, 2, 1, "w");
  }

  private static ReceivedCargo<ShipmentRecording> cargo(long transaction) {
    return new ReceivedCargo<>(header(transaction), CARGO, ShipmentRecording.NONE);
  }

  @Test
  void callsTheCommitterOnceThoughManyReceiversSendAtOnce() throws Exception {
    AtomicInteger commits = new AtomicInteger();
    TransactionLedger shared =
        TransactionLedger.around(
            cargo -> CompletableFuture.completedFuture((long) commits.incrementAndGet()));
    CountDownLatch begun = new CountDownLatch(1);
    List<Waiting.Running<Long>> all = new ArrayList<>();
    for (int t = 0; t < 8; t++) {
      all.add(
          Waiting.start(
              () -> {
                begun.await();
                return shared.commit(cargo(1)).get();
              }));
    }
    begun.countDown();

    for (Waiting.Running<Long> answer : all) {
      assertThat(answer.get()).isEqualTo(1);
    }
    assertThat(commits).hasValue(1);
  }

  @Test
  void failureIsThatOfTheRepeatThatWaitedAndThenForgotten() throws Exception {
    CompletableFuture<Long> first = ledger.commit(cargo(1));
    CompletableFuture<Long> second = ledger.commit(cargo(1));
    ShipmentException rejected = new ShipmentException(Fault.REJECTED, "no such table");
    answers.get(0).completeExceptionally(rejected);

    assertThat(first).isCompletedExceptionally();
    assertThat(unwrapped(first)).isSameAs(rejected);
    assertThat(unwrapped(second)).isSameAs(rejected);

    CompletableFuture<Long> third = ledger.commit(cargo(1));
    answers.get(1).complete(42L);
    assertThat(third).isCompletedWithValue(42L);
  }

  /** Throws any exception undeclared, as languages without checked exceptions do. */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <T extends Throwable> RuntimeException undeclared(Throwable boom) throws T {
    throw (T) boom;
  }

  @Test
  void repeatOfAnUnforeseenFailureIsUnknown() throws Exception {
    CompletableFuture<Long> first = ledger.commit(cargo(1));
    CompletableFuture<Long> second = ledger.commit(cargo(1));
    IllegalStateException boom = new IllegalStateException("boom");
    answers.get(0).completeExceptionally(boom);

    assertThat(unwrapped(first)).isSameAs(boom);
    assertThat(unwrapped(second))
        .isInstanceOfSatisfying(
            ShipmentException.class,
            e -> assertThat(e.outcome()).isEqualTo(ShipmentException.Outcome.UNKNOWN))
        .hasRootCause(boom);
  }

  private static Throwable unwrapped(CompletableFuture<Long> failed) {
    Throwable failure = failed.handle((answer, e) -> e).join();
    return failure instanceof CompletionException ? failure.getCause() : failure;
  }

  @Test
  void whatIsThrownIsForgotten() throws Exception {
    AtomicInteger commits = new AtomicInteger();
    TransactionLedger failing =
        TransactionLedger.around(
            cargo -> {
              switch (commits.getAndIncrement()) {
                case 0 -> throw new IllegalStateException("boom");
                case 1 -> throw new ShipmentException(Fault.REJECTED, "no");
                case 2 -> throw undeclared(new Exception("boom"));
                default -> {
                  return CompletableFuture.completedFuture(3L);
                }
              }
            });

    assertThatIllegalStateException().isThrownBy(() -> failing.commit(cargo(1)));
    assertFault(Fault.REJECTED, () -> failing.commit(cargo(1)));
    assertThatException().isThrownBy(() -> failing.commit(cargo(1))).withMessage("boom");
    assertThat(failing.commit(cargo(1))).isCompletedWithValue(3L);
  }

  @Test
  void remembersTheLatestAsManyAsItMay() throws Exception {
    for (long transaction = 1; transaction <= 3; transaction++) {
      CompletableFuture<Long> unused = ledger.commit(cargo(transaction));
      answers.get((int) transaction - 1).complete(transaction);
    }

    assertThat(ledger.commit(cargo(2))).isCompletedWithValue(2L);
    assertThat(ledger.commit(cargo(3))).isCompletedWithValue(3L);
    assertThat(calls).hasSize(3);
    assertThat(ledger.commit(cargo(1))).as("the oldest, beyond the limit").isNotDone();
    assertThat(calls).hasSize(4);
  }

  @Test
  void nobodyCanAnswerForOthers() throws Exception {
    CompletableFuture<Long> first = ledger.commit(cargo(1));
    CompletableFuture<Long> second = ledger.commit(cargo(1));
    first.cancel(true);
    answers.get(0).complete(42L);

    assertThat(second).isCompletedWithValue(42L);
  }

  @Test
  void asksForRoomOnlyForWhatIsNew() throws Exception {
    Manifest manifest = new SegmentPlanner(SegmentPlanner.DEFAULT_SEGMENT_BYTES).plan(CARGO);
    TransactionLedger full =
        TransactionLedger.around(
            new CargoCommitter<ShipmentRecording>() {
              @Override
              public CompletableFuture<Long> commit(ReceivedCargo<ShipmentRecording> cargo) {
                return CompletableFuture.completedFuture(1L);
              }

              @Override
              public void requireRoom(Manifest asked) throws ShipmentException {
                throw new ShipmentException(Fault.FULL, "full");
              }
            });
    assertFault(Fault.FULL, () -> full.requireRoom(manifest));

    CompletableFuture<Long> unused =
        full.commit(
            new ReceivedCargo<>(
                ShipmentHeaders.of(
                    CARGO.transactionId(), 0, ShipmentHeader.Pipeline.SEGMENTS, 2, 1, "w"),
                CARGO,
                ShipmentRecording.NONE));
    full.requireRoom(manifest);
  }

  @Test
  void refusesToRememberNothing() {
    assertFails(
        () -> TransactionLedger.around(this::commit, 0), IllegalArgumentException.class, "not 0");
  }
}
