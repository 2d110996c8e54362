package io.drayage.send;

import static io.drayage.testing.Refusals.assertFault;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.RandomCargo;
import io.drayage.codec.pool.CodecPool;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.internal.Waits;
import io.drayage.memory.Lease;
import io.drayage.receive.CargoReceiver;
import io.drayage.receive.MemoryCommitter;
import io.drayage.receive.ReceiverLimits;
import io.drayage.testing.CargoBytes;
import io.drayage.testing.Ends;
import io.drayage.testing.Repaging;
import io.drayage.testing.Waiting;
import io.drayage.testing.Waiting.Running;
import io.drayage.transport.LoopbackTransport;
import io.drayage.transport.ShipmentHandler;
import io.drayage.transport.TransportOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sender and receiver together, over the loopback transport. */
final class SegmentsPipelineTest {
  private static final ReceiverLimits LIMITS = new ReceiverLimits(64 << 20, 256 << 20, 8);
  private static final TransportOptions OPTIONS =
      TransportOptions.builder().receiverBytes(5 << 20, 40 << 20).build();

  private final Ends ends = new Ends(new LoopbackTransport(), OPTIONS);
  private final Queue<Long> committed = new ConcurrentLinkedQueue<>();

  @AfterEach
  void closeAll() {
    ends.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void cargoesArriveOnceAndAsTheyWereSent(int threads) throws Exception {
    receive(this::commit, threads);
    CargoSender sender = sender(threads);
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
    receive(this::commit, 2);
    List<CargoSender> all = new ArrayList<>();
    for (int sender = 0; sender < senders; sender++) {
      all.add(sender(1));
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
  void interruptedSenderGivesItsShipmentUp() throws Exception {
    CompletableFuture<ShipmentException> aborted = new CompletableFuture<>();
    Queue<Lease> kept = new ConcurrentLinkedQueue<>();
    ends.listen((header, replies) -> keeping(kept, aborted));
    CodecPool pool = ends.opened(new CodecPool(2, "encode"));
    CargoSender sender = sender(pool);
    Running<SendReport> sending =
        Waiting.startAndAwaitParked(() -> sender.send(RandomCargo.of(9, 80_000)));
    // The cargo exceeds the sender's budget, and the kept frames use it up: no seal was sent.
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
    receive(this::commit, 1);
    CargoSender sender = sender(pool);

    assertFault(Fault.CANCELLED, () -> sender.send(RandomCargo.of(10, 10)))
        .hasMessage("the codec pool is closed");
    assertThat(committed).isEmpty();
  }

  @Test
  void fullQueueOfThePoolFailsTheShipment() throws Exception {
    CodecPool pool = ends.opened(new CodecPool(1, "encode"));
    receive(this::commit, 1);
    CargoSender sender = sender(pool);
    CountDownLatch gate = new CountDownLatch(1);
    while (pool.submit(codec -> Waits.uninterrupted(gate::await))) {
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

  private void receive(MemoryCommitter committer, int threads) {
    ends.receive(new CargoReceiver(committer, LIMITS, threads));
  }

  private CargoSender sender(int threads) {
    return sender(ends.opened(new CodecPool(threads, "encode")));
  }

  private CargoSender sender(CodecPool pool) {
    return ends.opened(CargoBytes.sender(ends.client(), pool));
  }
}
