package io.drayage.send;

import static io.drayage.testing.Faults.assertFault;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.RandomCargo;
import io.drayage.codec.Compressors;
import io.drayage.codec.Serializer;
import io.drayage.codec.pool.CodecPool;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.memory.Lease;
import io.drayage.receive.CargoReceiver;
import io.drayage.receive.MemoryCommitter;
import io.drayage.receive.ReceiverLimits;
import io.drayage.testing.CargoBytes;
import io.drayage.testing.Repaging;
import io.drayage.testing.Waiting;
import io.drayage.testing.Waiting.Running;
import io.drayage.transport.LoopbackTransport;
import io.drayage.transport.ShipmentAcceptor;
import io.drayage.transport.ShipmentHandler;
import io.drayage.transport.TransportOptions;
import io.drayage.transport.TransportServer;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sender and receiver together, over the loopback transport. */
final class SegmentsPipelineTest {
  private static final ReceiverLimits LIMITS = new ReceiverLimits(64 << 20, 256 << 20, 8);
  private static final TransportOptions OPTIONS =
      TransportOptions.builder().receiverBytes(5 << 20, 40 << 20).build();

  private final LoopbackTransport transport = new LoopbackTransport();
  private final Queue<Long> committed = new ConcurrentLinkedQueue<>();
  private final Deque<AutoCloseable> opened = new ArrayDeque<>();

  @AfterEach
  void closeAll() throws Exception {
    while (!opened.isEmpty()) {
      opened.pop().close();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void cargoesArriveOnceAndAsTheyWereSent(int threads) throws Exception {
    CargoSender sender = sender(receiver(this::commit, threads), CargoBytes.RAW, threads);
    List<Long> sent = new ArrayList<>();
    for (int seed = 0; seed < 6; seed++) {
      ChangeCargo cargo = RandomCargo.of(seed, new int[] {0, 1, 64, 1_000, 65_537, 20_000}[seed]);
      sent.add(CargoDigest.of(cargo));

      SendReport report = sender.send(seed % 2 == 0 ? cargo : Repaging.of(cargo, 1_000));

      assertThat(report.snapshotTimestamp()).as("seed %d", seed).isEqualTo(seed + 1);
      assertThat(report.frames()).isPositive();
      assertThat(report.wireBytes()).isPositive();
    }
    assertThat(committed).containsExactlyElementsOf(sent);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 8})
  void cargoesOfManyCallersAreCommittedOnceEach(int senders) throws Exception {
    TransportServer server = receiver(this::commit, 2);
    List<CargoSender> all = new ArrayList<>();
    for (int sender = 0; sender < senders; sender++) {
      all.add(sender(server, CargoBytes.RAW, 1));
    }
    List<Running<List<Long>>> workers = new ArrayList<>();
    for (int worker = 0; worker < 8; worker++) {
      int firstSeed = worker * 5;
      CargoSender sender = all.get(worker % senders);
      workers.add(Waiting.start(() -> sendFive(sender, firstSeed)));
    }
    List<Long> sent = new ArrayList<>();
    for (Running<List<Long>> worker : workers) {
      sent.addAll(worker.get());
    }
    assertThat(sent).hasSize(40);
    assertThat(committed).containsExactlyInAnyOrderElementsOf(sent);
  }

  private static List<Long> sendFive(CargoSender sender, int firstSeed) throws Exception {
    List<Long> sent = new ArrayList<>();
    for (int seed = firstSeed; seed < firstSeed + 5; seed++) {
      ChangeCargo cargo = RandomCargo.of(seed, 2_000);
      sender.send(cargo);
      sent.add(CargoDigest.of(cargo));
    }
    return sent;
  }

  @Test
  void failureOfTheCommitterIsItsOwn() throws Exception {
    AtomicLong calls = new AtomicLong();
    MemoryCommitter failing =
        cargo -> {
          switch ((int) calls.getAndIncrement()) {
            case 0 -> throw new IllegalStateException("disk full");
            case 1 -> throw new AssertionError("broken invariant");
            case 2 -> throw new ShipmentException(Fault.REJECTED, "no such table");
            default -> {
              return commit(cargo);
            }
          }
        };
    CargoSender sender = sender(receiver(failing, 1), CargoBytes.RAW, 1);
    ChangeCargo cargo = RandomCargo.of(7, 100);

    assertFault(Fault.INTERNAL, () -> sender.send(cargo)).hasMessageContaining("disk full");
    assertFault(Fault.INTERNAL, () -> sender.send(cargo)).hasMessageContaining("broken invariant");
    assertFault(Fault.REJECTED, () -> sender.send(cargo)).hasMessageContaining("no such table");
    assertThat(sender.send(cargo).snapshotTimestamp()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void serializerThatThrowsFailsItsShipmentOnly(boolean error) throws Exception {
    TransportServer server = receiver(this::commit, 2);
    CargoSender sender = sender(server, new FailingSerializer(3, error), 2);
    ChangeCargo cargo = RandomCargo.of(8, 2_000);

    assertFault(Fault.INTERNAL, () -> sender.send(cargo)).hasMessageContaining("cannot serialize");

    assertThat(committed).isEmpty();
    assertThat(sender.send(cargo).snapshotTimestamp()).as("the same sender, later").isEqualTo(1);
    assertThat(committed).containsExactly(CargoDigest.of(cargo));
  }

  @Test
  void interruptedSenderGivesItsShipmentUp() throws Exception {
    CompletableFuture<ShipmentException> aborted = new CompletableFuture<>();
    Queue<Lease> kept = new ConcurrentLinkedQueue<>();
    TransportServer server = listen((header, replies) -> keeping(kept, aborted));
    CodecPool pool = opened(new CodecPool(2, "encode"));
    CargoSender sender = sender(server, CargoBytes.RAW, pool);
    Running<SendReport> sending =
        Waiting.startAndAwaitParked(() -> sender.send(RandomCargo.of(9, 80_000)));
    // More than the sender's budget holds, which what is kept uses up: no seal was sent.
    Waiting.await(() -> kept.size() > 1);

    sending.thread().interrupt();

    assertThatThrownBy(sending::get)
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(InterruptedException.class);
    assertThat(aborted.get().fault()).isEqualTo(Fault.CANCELLED);
    kept.forEach(Lease::close);
    CompletableFuture<Boolean> free = new CompletableFuture<>();
    pool.submit(codec -> free.complete(true));
    assertThat(free.get()).as("the pool's threads are free again").isTrue();
  }

  @Test
  void closedPoolFailsTheShipment() throws Exception {
    CodecPool pool = new CodecPool(1, "encode");
    pool.close();
    CargoSender sender = sender(receiver(this::commit, 1), CargoBytes.RAW, pool);

    assertFault(Fault.CANCELLED, () -> sender.send(RandomCargo.of(10, 10)))
        .hasMessage("the codec pool is closed");
    assertThat(committed).isEmpty();
  }

  @Test
  void fullQueueOfThePoolFailsTheShipment() throws Exception {
    CodecPool pool = opened(new CodecPool(1, "encode"));
    CargoSender sender = sender(receiver(this::commit, 1), CargoBytes.RAW, pool);
    CountDownLatch gate = new CountDownLatch(1);
    CodecPool.Task waiting =
        codec -> {
          try {
            gate.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        };
    while (pool.submit(waiting)) {
      // Until its queue is full.
    }
    try {
      assertFault(Fault.CANCELLED, () -> sender.send(RandomCargo.of(9, 80_000)))
          .hasMessageContaining("the queue of the codec pool is full: 131,072 tasks wait");
    } finally {
      gate.countDown();
    }
  }

  private static ShipmentHandler keeping(
      Queue<Lease> kept, CompletableFuture<ShipmentException> aborted) {
    return new ShipmentHandler() {
      @Override
      public void onFrame(Lease frame) {
        kept.add(frame);
      }

      @Override
      public boolean onAborted(ShipmentException cause) {
        aborted.complete(cause);
        return true;
      }
    };
  }

  private long commit(ChangeCargo cargo) {
    committed.add(CargoDigest.of(cargo));
    return committed.size();
  }

  private TransportServer receiver(MemoryCommitter committer, int threads) {
    return listen(opened(new CargoReceiver(committer, LIMITS, threads)));
  }

  private TransportServer listen(ShipmentAcceptor acceptor) {
    TransportServer server = transport.listen(new InetSocketAddress(0), acceptor, OPTIONS);
    return opened(server);
  }

  private CargoSender sender(TransportServer server, Serializer serializer, int threads) {
    return sender(server, serializer, opened(new CodecPool(threads, "encode")));
  }

  private CargoSender sender(TransportServer server, Serializer serializer, CodecPool pool) {
    return opened(
        new SegmentsSender(
            transport.client(server.address(), OPTIONS),
            pool,
            serializer,
            Compressors.ofName("none"),
            "worker"));
  }

  private <T extends AutoCloseable> T opened(T resource) {
    opened.push(resource);
    return resource;
  }
}
