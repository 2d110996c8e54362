package io.drayage.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.codec.Compressors;
import io.drayage.codec.Serializers;
import io.drayage.codec.pool.CodecPool;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.receive.CargoReceiver;
import io.drayage.receive.MemoryCommitter;
import io.drayage.receive.ReceiverLimits;
import io.drayage.send.SegmentsSender;
import io.drayage.send.SendOptions;
import io.drayage.testing.Waiting;
import io.drayage.transport.PeerLimits;
import io.drayage.transport.Threads;
import io.drayage.transport.TransportOptions;
import io.drayage.transport.TransportServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Both ends as an engineer embeds them, with defaults: many threads send, committers are slow or
 * throw, ends are closed and threads interrupted at any moment. Everything ends, and nothing is
 * left.
 */
@Tag("ci")
@Timeout(300)
class ManyThreadsTest {
  private static final Duration SOON = Duration.ofSeconds(60);

  private final Threads threads = Threads.remember();
  private final Set<UUID> applied = ConcurrentHashMap.newKeySet();
  private final AtomicInteger commits = new AtomicInteger();

  @AfterEach
  void nothingIsLeft() throws Exception {
    threads.assertGone(Duration.ofSeconds(20));
    DirectMemory.assertAllReleased();
  }

  private long apply(ChangeCargo cargo) {
    assertThat(applied.add(cargo.transactionId())).as("applied once").isTrue();
    return commits.incrementAndGet();
  }

  /** A transactor and a worker in one process. */
  private static final class Ends implements AutoCloseable {
    final CargoReceiver receiver;
    final TransportServer server;
    final CodecPool pool = new CodecPool(2, "encode");
    final SegmentsSender sender;

    Ends(MemoryCommitter committer, TransportOptions options) throws IOException {
      this(committer, options, "columnar");
    }

    Ends(MemoryCommitter committer, TransportOptions options, String serializer)
        throws IOException {
      receiver = new CargoReceiver(committer, ReceiverLimits.ofHeap(), 2);
      NettyTransport transport = NettyTransport.best();
      server =
          transport.listen(
              new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), receiver, options);
      sender =
          new SegmentsSender(
              transport.client(server.address(), options),
              pool,
              Serializers.ofName(serializer),
              Compressors.ofName("none"),
              "worker");
    }

    Ends(MemoryCommitter committer) throws IOException {
      this(committer, TransportOptions.DEFAULT);
    }

    /** Nothing of any shipment is held at the receiver. */
    void awaitIdle() throws Exception {
      Waiting.await(() -> receiver.shipments().isEmpty());
    }

    @Override
    public void close() {
      sender.close();
      pool.close();
      server.close();
      receiver.close();
    }
  }

  private static ChangeCargo cargo(int... values) {
    return ChangeCargo.builder(UUID.randomUUID(), 0)
        .table("t", table -> table.insert("c", ColumnValues.of(new int[][] {values})))
        .build();
  }

  private static ChangeCargo largeCargo(long seed) {
    return cargo(new Random(seed).ints(700_000).toArray());
  }

  /** The faults of those that failed. */
  private static List<Throwable> sendAll(Ends ends, int threadCount, int each, Sending sending)
      throws Exception {
    ExecutorService senders = Executors.newFixedThreadPool(threadCount);
    try {
      List<Future<?>> sent = new ArrayList<>();
      for (int t = 0; t < threadCount; t++) {
        int first = t * each;
        sent.add(
            senders.submit(
                () -> {
                  for (int i = first; i < first + each; i++) {
                    sending.send(ends.sender, i);
                  }
                  return null;
                }));
      }
      List<Throwable> failures = new ArrayList<>();
      for (Future<?> future : sent) {
        try {
          future.get(SOON.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException e) {
          failures.add(e.getCause());
        }
      }
      return failures;
    } finally {
      senders.shutdownNow();
      assertThat(senders.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
    }
  }

  private interface Sending {
    void send(SegmentsSender sender, int number) throws Exception;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 64, 500})
  void smallCargoesOfManyThreadsAreCommitted(int threadCount) throws Exception {
    try (Ends ends = new Ends(this::apply)) {
      int each = Math.max(1, 600 / threadCount);

      List<Throwable> failures =
          sendAll(ends, threadCount, each, (sender, number) -> sender.send(cargo(number)));

      assertThat(failures).isEmpty();
      assertThat(commits).hasValue(threadCount * each);
      ends.awaitIdle();
    }
  }

  @Test
  void largeCargoesQueueForTheirCredit() throws Exception {
    try (Ends ends = new Ends(this::apply)) {
      List<Throwable> failures =
          sendAll(ends, 30, 1, (sender, number) -> sender.send(largeCargo(number)));

      assertThat(failures).isEmpty();
      assertThat(commits).hasValue(30);
    }
  }

  @Test
  void whatThrowsCostsItsOwnShipment() throws Exception {
    MemoryCommitter throwing =
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
        };
    try (Ends ends = new Ends(throwing)) {
      List<Throwable> failures =
          sendAll(ends, 64, 1, (sender, number) -> sender.send(cargo(number)));

      assertThat(failures).hasSize(43).allMatch(ShipmentException.class::isInstance);
      ends.awaitIdle();
    }
  }

  @Test
  void whoeverFindsNoRoomUntilItsDeadlineLearnsWhichLimitThatIs() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    MemoryCommitter slow =
        cargo -> {
          begun.countDown();
          return await(goOn);
        };
    TransportOptions narrow =
        TransportOptions.builder().peerLimits(new PeerLimits(100, 100, 1, 96 << 20)).build();
    try (Ends ends = new Ends(slow, narrow)) {
      Waiting.Running<Boolean> first = Waiting.start(() -> ends.sender.send(cargo(1)) != null);
      begun.await();

      assertThatThrownBy(
              () -> ends.sender.send(cargo(2), SendOptions.DEFAULT.within(Duration.ofMillis(300))))
          .isInstanceOfSatisfying(
              ShipmentException.class, e -> assertThat(e.fault()).isEqualTo(Fault.BUSY))
          .hasMessageContaining("the limit is 1 (PeerLimits.maxShipmentsPerPeer)");
      goOn.countDown();
      assertThat(first.get()).isTrue();
    }
  }

  @Test
  void anErrorWhileACargoIsEncodedEndsItsShipmentAlone() throws Exception {
    ColumnValues broken =
        ColumnValues.onDemand(
            ColumnType.INT,
            10,
            10,
            page -> {
              throw new OutOfMemoryError("said by a test");
            });
    ChangeCargo cargo =
        ChangeCargo.builder(UUID.randomUUID(), 0)
            .table("t", table -> table.insert("c", broken))
            .build();
    for (String serializer : List.of("raw", "columnar")) {
      try (Ends ends = new Ends(this::apply, TransportOptions.DEFAULT, serializer)) {
        assertThatThrownBy(() -> ends.sender.send(cargo))
            .isInstanceOf(ShipmentException.class)
            .hasMessageContaining("said by a test");
        assertThat(ends.sender.send(cargo(1)).snapshotTimestamp()).isPositive();
        ends.awaitIdle();
      }
    }
  }

  @Test
  void aReceiverThatIsClosedBeforeItsServerSaysThatItShutsDown() throws Exception {
    try (Ends ends = new Ends(this::apply)) {
      assertThat(ends.sender.send(cargo(1)).snapshotTimestamp()).isEqualTo(1);
      ends.receiver.close();

      assertThatThrownBy(() -> ends.sender.send(cargo(2)))
          .isInstanceOfSatisfying(
              ShipmentException.class, e -> assertThat(e.fault()).isEqualTo(Fault.CANCELLED))
          .hasMessageContaining("the transactor is shutting down");
    }
  }

  @Test
  void aCommitThatTakesLongerThanTheDeadlineIsNotWaitedFor() throws Exception {
    CountDownLatch goOn = new CountDownLatch(1);
    try (Ends ends = new Ends(cargo -> await(goOn))) {
      assertThatThrownBy(
              () -> ends.sender.send(cargo(1), SendOptions.DEFAULT.within(Duration.ofMillis(200))))
          .isInstanceOfSatisfying(
              ShipmentException.class, e -> assertThat(e.fault()).isEqualTo(Fault.CANCELLED))
          .hasMessageContaining("the deadline of 200 ms");
      goOn.countDown();
    }
  }

  private static long await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return 1;
  }
}
