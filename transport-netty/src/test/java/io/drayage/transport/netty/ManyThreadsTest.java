package io.drayage.transport.netty;

import static io.drayage.testing.Refusals.assertFault;
import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.internal.Waits;
import io.drayage.receive.CargoReceiver;
import io.drayage.receive.MemoryCommitter;
import io.drayage.receive.ReceiverLimits;
import io.drayage.send.SegmentsSender;
import io.drayage.send.SendOptions;
import io.drayage.testing.CargoBytes;
import io.drayage.testing.Ends;
import io.drayage.testing.Waiting;
import io.drayage.transport.PeerLimits;
import io.drayage.transport.Threads;
import io.drayage.transport.TransportOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Both ends with their defaults, as a program embeds them. Many threads send, committers are slow
 * or throw, ends are closed and threads interrupted at any moment. Everything ends and is released.
 */
@Tag("ci")
@Timeout(300)
class ManyThreadsTest {
  private static final Duration SOON = Duration.ofSeconds(60);

  private final Threads threads = Threads.remember();
  private final Set<UUID> applied = ConcurrentHashMap.newKeySet();
  private final AtomicInteger commits = new AtomicInteger();

  private Ends ends;
  private CargoReceiver receiver;
  private SegmentsSender sender;

  @AfterEach
  void nothingIsLeft() throws Exception {
    ends.close();
    threads.assertGone(Duration.ofSeconds(20));
    DirectMemory.assertAllReleased();
  }

  private long apply(ChangeCargo cargo) {
    assertThat(applied.add(cargo.transactionId())).as("applied once").isTrue();
    return commits.incrementAndGet();
  }

  private void begin(MemoryCommitter committer, TransportOptions options, String serializer) {
    ends = new Ends(NettyTransport.best(), options);
    receiver = ends.receive(new CargoReceiver(committer, ReceiverLimits.ofHeap(), 2));
    sender = ends.sender(serializer, "none");
  }

  private void begin(MemoryCommitter committer) {
    begin(committer, TransportOptions.DEFAULT, "columnar");
  }

  /** Waits until the receiver holds nothing of any shipment. */
  private void awaitIdle() {
    Waiting.await(() -> receiver.shipments().isEmpty());
  }

  private static ChangeCargo cargo(int... values) {
    return CargoBytes.cargoOf(UUID.randomUUID(), ColumnValues.of(new int[][] {values}));
  }

  private static ChangeCargo largeCargo(long seed) {
    return cargo(new Random(seed).ints(700_000).toArray());
  }

  /** Sends from all threads, and returns the failures. */
  private List<Throwable> sendAll(int threadCount, int each, IntFunction<ChangeCargo> cargoes)
      throws Exception {
    List<Waiting.Running<Boolean>> sent = new ArrayList<>();
    for (int t = 0; t < threadCount; t++) {
      int first = t * each;
      sent.add(
          Waiting.start(
              () -> {
                for (int i = first; i < first + each; i++) {
                  sender.send(cargoes.apply(i));
                }
                return true;
              }));
    }
    List<Throwable> failures = new ArrayList<>();
    for (Waiting.Running<Boolean> thread : sent) {
      try {
        thread.result().get(SOON.toSeconds(), TimeUnit.SECONDS);
      } catch (ExecutionException e) {
        failures.add(e.getCause());
      }
    }
    return failures;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 64, 500})
  void smallCargoesOfManyThreadsAreCommitted(int threadCount) throws Exception {
    begin(this::apply);
    int each = Math.max(1, 600 / threadCount);

    assertThat(sendAll(threadCount, each, ManyThreadsTest::cargo)).isEmpty();
    assertThat(commits).hasValue(threadCount * each);
    awaitIdle();
  }

  @Test
  void largeCargoesQueueForTheirCredit() throws Exception {
    begin(this::apply);
    assertThat(sendAll(30, 1, ManyThreadsTest::largeCargo)).isEmpty();
    assertThat(commits).hasValue(30);
  }

  @Test
  void whatThrowsCostsItsOwnShipment() throws Exception {
    begin(
        cargo -> {
          int turn = commits.getAndIncrement();
          if (turn == 3) {
            throw new OutOfMemoryError("said by a test");
          }
          return switch (turn % 3) {
            case 1 -> throw new ShipmentException(Fault.REJECTED, "not this one");
            case 2 -> throw new IllegalStateException("a defect");
            default -> turn;
          };
        });
    assertThat(sendAll(64, 1, ManyThreadsTest::cargo))
        .hasSize(43)
        .allMatch(ShipmentException.class::isInstance);
    awaitIdle();
  }

  private void assertFails(Fault fault, Duration within, String message) {
    assertFault(fault, () -> sender.send(cargo(2), SendOptions.DEFAULT.within(within)))
        .hasMessageContaining(message);
  }

  @Test
  void whoeverFindsNoRoomUntilItsDeadlineLearnsWhichLimitThatIs() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    begin(
        cargo -> {
          begun.countDown();
          return await(goOn);
        },
        TransportOptions.builder().peerLimits(new PeerLimits(100, 100, 1, 96 << 20)).build(),
        "columnar");
    Waiting.Running<Boolean> first = Waiting.start(() -> sender.send(cargo(1)) != null);
    begun.await();

    assertFails(
        Fault.BUSY, Duration.ofMillis(300), "the limit is 1 (PeerLimits.maxShipmentsPerPeer)");
    goOn.countDown();
    assertThat(first.get()).isTrue();
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
    begin(this::apply, TransportOptions.DEFAULT, serializer);
    assertFault(Fault.INTERNAL, () -> sender.send(CargoBytes.cargoOf(broken)))
        .hasMessageContaining("said by a test");
    assertThat(sender.send(cargo(1)).snapshotTimestamp()).isPositive();
    awaitIdle();
  }

  @Test
  void aReceiverThatIsClosedBeforeItsServerSaysThatItShutsDown() throws Exception {
    begin(this::apply);
    assertThat(sender.send(cargo(1)).snapshotTimestamp()).isEqualTo(1);
    receiver.close();

    assertFails(Fault.CANCELLED, SOON, "the transactor is shutting down");
  }

  @Test
  void aCommitThatTakesLongerThanTheDeadlineIsNotWaitedFor() {
    CountDownLatch goOn = new CountDownLatch(1);
    begin(cargo -> await(goOn));
    assertFails(Fault.CANCELLED, Duration.ofMillis(200), "the deadline of 200 ms");
    goOn.countDown();
  }

  private static long await(CountDownLatch latch) {
    Waits.uninterrupted(latch::await);
    return 1;
  }
}
