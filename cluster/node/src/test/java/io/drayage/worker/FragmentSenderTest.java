package io.drayage.worker;

import static io.drayage.frame.ShipmentException.Outcome.NOT_APPLIED;
import static io.drayage.frame.ShipmentException.Outcome.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.drayage.cargo.CargoCutter;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.coordination.InMemoryCluster;
import io.drayage.coordination.InMemoryCoordination;
import io.drayage.coordination.NodeInfo;
import io.drayage.coordination.TestCandidate;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.send.CargoSender;
import io.drayage.send.SendOptions;
import io.drayage.send.SendReport;
import io.drayage.testing.Waiting;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The order of the fragments of a cargo. */
class FragmentSenderTest {
  private static final int PIECES = 6;
  private static final int ROWS = PIECES * 1_000;
  private static final SendReport REPORT = new SendReport(0, 1, 0, 0, 0, 0, 0, 0, 0, 0);

  private final Primary primary = new Primary();
  private InMemoryCoordination coordination;
  private FragmentSender sender;

  @BeforeEach
  void open() throws Exception {
    coordination = new InMemoryCoordination(new InMemoryCluster());
    TestCandidate candidate = new TestCandidate();
    var unused = coordination.stand(new NodeInfo("t1", "127.0.0.1:1"), candidate);
    candidate.awaitElected();
    TransactionHandle handle = new TransactionHandle(new UUID(1, 1), 2, 3, new UUID(4, 4), 5, 6);
    sender = new FragmentSender(handle, coordination, address -> primary, Duration.ofSeconds(30));
  }

  @AfterEach
  void close() {
    sender.close();
    coordination.close();
  }

  private static ChangeCargo cargo() {
    ColumnValues values =
        ColumnValues.onDemand(ColumnType.LONG, ROWS, 1_000, page -> new long[1_000]);
    return ChangeCargo.builder(new UUID(0, 0), 0)
        .table("t", changes -> changes.insert("c", values))
        .build();
  }

  private Waiting.Running<List<UUID>> sendUntilTheSecondIsOnTheWire() throws InterruptedException {
    Waiting.Running<List<UUID>> sending =
        Waiting.start(() -> sender.send(CargoCutter.cutInto(cargo(), PIECES)));
    primary.arrived.acquire();
    assertThat(primary.ids).as("the first is on the wire").hasSize(1);
    primary.sent.release();
    primary.arrived.acquire();
    return sending;
  }

  @Test
  void oneIsSentWhileAnotherIsStored() throws Exception {
    Waiting.Running<List<UUID>> sending = sendUntilTheSecondIsOnTheWire();
    assertThat(primary.storing).as("the first").hasValue(1);
    primary.sent.release(PIECES - 1);
    primary.stored.release(PIECES);

    assertThat(sending.get()).hasSize(PIECES).containsExactlyInAnyOrderElementsOf(primary.ids);
    assertThat(primary.mostSending).as("sent at a time").hasValue(1);
    assertThat(primary.mostUnderWay).as("under way at a time").hasValue(2);
    assertThat(sender.wireBytes()).isEqualTo(PIECES);
  }

  @Test
  void endsWithTheOneThatIsRefused() throws Exception {
    Waiting.Running<List<UUID>> sending = sendUntilTheSecondIsOnTheWire();

    primary.refuses = true;
    primary.sent.release();

    assertThatExceptionOfType(ExecutionException.class)
        .isThrownBy(sending::get)
        .havingCause()
        .isInstanceOf(ShipmentException.class)
        .withMessage("the transaction has ended");
    assertThat(primary.ids).as("one may have begun before").hasSizeBetween(2, 3);
    assertThat(primary.underWay).as("still under way").hasValue(0);
  }

  @Test
  void nothingIsUnderWayAnyMoreWhenItWasInterrupted() throws Exception {
    Waiting.Running<List<UUID>> sending = sendUntilTheSecondIsOnTheWire();

    sending.thread().interrupt();

    assertThatExceptionOfType(ExecutionException.class)
        .isThrownBy(sending::get)
        .withCauseInstanceOf(InterruptedException.class);
    assertThat(primary.underWay).hasValue(0);
  }

  @Test
  void whatWasNotAppliedIsSentAgainWithItsIdAndWhatIsUncertainWithAnother() throws Exception {
    primary.sent.release(5);
    primary.stored.release(5);
    for (ShipmentException.Outcome outcome :
        List.of(NOT_APPLIED, NOT_APPLIED, UNKNOWN, NOT_APPLIED)) {
      Fault fault = outcome == UNKNOWN ? Fault.CANCELLED : Fault.BUSY;
      primary.failures.add(new ShipmentException(fault, "once more").withOutcome(outcome));
    }
    ChangeCargo piece =
        ChangeCargo.builder(new UUID(0, 0), 0)
            .table("t", changes -> changes.insert("c", ColumnValues.of(new long[][] {{1}})))
            .build();

    List<UUID> fragments = sender.send(piece);

    List<UUID> ids = primary.ids;
    assertThat(ids).hasSize(5);
    assertThat(ids.subList(0, 3)).containsOnly(ids.get(0));
    assertThat(ids.subList(3, 5)).containsOnly(ids.get(3)).doesNotContain(ids.get(0));
    assertThat(fragments).containsExactly(ids.get(4));
  }

  /** A primary that receives and stores fragments when the test lets it. Thread-safe. */
  private static final class Primary implements CargoSender {
    final List<UUID> ids = new CopyOnWriteArrayList<>();
    final Semaphore arrived = new Semaphore(0);
    final Semaphore sent = new Semaphore(0);
    final Semaphore stored = new Semaphore(0);
    final AtomicInteger sending = new AtomicInteger();
    final AtomicInteger storing = new AtomicInteger();
    final AtomicInteger underWay = new AtomicInteger();
    final AtomicInteger mostSending = new AtomicInteger();
    final AtomicInteger mostUnderWay = new AtomicInteger();
    final Queue<ShipmentException> failures = new ConcurrentLinkedQueue<>();
    volatile boolean refuses;

    @Override
    public SendReport send(ChangeCargo cargo, SendOptions options)
        throws ShipmentException, InterruptedException {
      ids.add(cargo.transactionId());
      mostUnderWay.accumulateAndGet(underWay.incrementAndGet(), Math::max);
      mostSending.accumulateAndGet(sending.incrementAndGet(), Math::max);
      try {
        arrived.release();
        try {
          sent.acquire();
        } finally {
          sending.decrementAndGet();
        }
        ShipmentException failure = failures.poll();
        if (failure != null) {
          throw failure;
        }
        if (refuses) {
          throw new ShipmentException(Fault.REFUSED, "the transaction has ended");
        }
        storing.incrementAndGet();
        options.whenSent().run();
        stored.acquire();
        return REPORT;
      } finally {
        underWay.decrementAndGet();
      }
    }

    @Override
    public DrayageMetrics metrics() {
      return new DrayageMetrics();
    }

    @Override
    public void close() {}
  }
}
