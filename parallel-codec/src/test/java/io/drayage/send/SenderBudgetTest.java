package io.drayage.send;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnValues;
import io.drayage.codec.Compressors;
import io.drayage.codec.Serializers;
import io.drayage.codec.pool.CodecPool;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.memory.ByteBudget;
import io.drayage.memory.Lease;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.receive.CargoReceiver;
import io.drayage.receive.MemoryCommitter;
import io.drayage.testing.Ends;
import io.drayage.testing.Waiting;
import io.drayage.testing.Waiting.Running;
import io.drayage.transport.LoopbackTransport;
import io.drayage.transport.ShipmentHandler;
import io.drayage.transport.TransportOptions;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Memory that the shipments of one sender use, and their independence of each other. */
@Timeout(180)
final class SenderBudgetTest {
  private static final int THREADS = 2;
  private static final int SEGMENT_BYTES = SegmentsSender.MIN_SEGMENT_BYTES;
  private static final long BUDGET_BYTES = 4L * SEGMENT_BYTES * 5 / 4;
  private static final long WINDOW_BYTES = 5 << 20;
  private static final long STALLED_BASE = 99;
  private static final TransportOptions OPTIONS =
      TransportOptions.builder().receiverBytes(WINDOW_BYTES, WINDOW_BYTES).build();

  private final Queue<Long> committed = new ConcurrentLinkedQueue<>();
  private final ByteBudget budget = new ByteBudget(BUDGET_BYTES);

  private interface Use {
    void of(SegmentsSender sender) throws Exception;
  }

  /**
   * Ships to a receiver.
   *
   * @param onFrame gets each frame, with its handler
   */
  private void withSender(
      BiFunction<ShipmentHeader, ShipmentHandler, Consumer<Lease>> onFrame, Use use)
      throws Exception {
    MemoryCommitter committer =
        arrived -> {
          committed.add(CargoDigest.of(arrived));
          return 1;
        };
    try (Ends ends = new Ends(new LoopbackTransport(), OPTIONS)) {
      CargoReceiver receiver = ends.receive(committer);
      ends.listen(
          (header, replies) -> {
            ShipmentHandler handler = receiver.accept(header, replies);
            return wrapped(handler, onFrame.apply(header, handler));
          });
      use.of(
          ends.opened(
              new SegmentsSender(
                  ends.client(),
                  ends.opened(new CodecPool(THREADS, "encode")),
                  Serializers.ofName("raw"),
                  Compressors.ofName("none"),
                  "worker",
                  SEGMENT_BYTES,
                  budget,
                  new DrayageMetrics())));
    }
    assertThat(budget.usedBytes()).isZero();
  }

  private static ShipmentHandler wrapped(ShipmentHandler handler, Consumer<Lease> frames) {
    return new ShipmentHandler() {
      @Override
      public void onFrame(Lease frame) {
        frames.accept(frame);
      }

      @Override
      public boolean onAborted(ShipmentException cause) {
        return handler.onAborted(cause);
      }
    };
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 64})
  void takesTheBudgetAndTheWindowWhateverTheCargo(int mebibytes) throws Exception {
    AtomicLong leasedBytes = new AtomicLong();
    AtomicLong peakLeasedBytes = new AtomicLong();
    AtomicLong peakDirectBytes = new AtomicLong();
    long[][] pages = new long[2 * mebibytes][ColumnValues.DEFAULT_ROWS_PER_PAGE];
    ChangeCargo cargo = cargo(1, 3, pages);
    long directBefore = directBytes();

    withSender(
        (header, handler) ->
            frame -> {
              int bytes = frame.remainingBytes();
              peakLeasedBytes.accumulateAndGet(leasedBytes.addAndGet(bytes), Math::max);
              peakDirectBytes.accumulateAndGet(directBytes(), Math::max);
              handler.onFrame(
                  new Lease(
                      frame.buffer(),
                      () -> {
                        leasedBytes.addAndGet(-bytes);
                        frame.close();
                      }));
            },
        sender -> sender.send(cargo));

    assertThat(committed).containsExactly(CargoDigest.of(cargo));
    assertThat(budget.peakBytes()).isPositive().isLessThanOrEqualTo(BUDGET_BYTES);
    assertThat(peakLeasedBytes).hasPositiveValue().hasValueLessThanOrEqualTo(WINDOW_BYTES);
    assertThat(leasedBytes).hasValue(0);
    // Leased buffers of the sender, and a scratch buffer for each thread of either side.
    long scratchBytes = 2L * THREADS * (2 << 20);
    assertThat(peakDirectBytes.get() - directBefore)
        .isLessThanOrEqualTo(BUDGET_BYTES + scratchBytes);
  }

  @Test
  void sizesItsBudgetForItsThreadsAndSegments() {
    long promised = (64L << 20) + (8L << 20) * THREADS;
    long largest = 2L * THREADS * SegmentsSender.MAX_SEGMENT_BYTES * 5 / 4;
    assertThat(Math.max(SegmentsSender.BUDGET_BYTES, largest)).isLessThan(promised);
  }

  @Test
  void stalledShipmentsHoldUpNoOther() throws Exception {
    Halting halting = new Halting();
    withSender(
        (header, handler) ->
            header.baseSnapshot() == STALLED_BASE ? halting.shipment(handler) : handler::onFrame,
        sender -> {
          // More shipments than threads, each with more frames than the budget has room for.
          List<Long> stalled = new ArrayList<>();
          List<Running<Long>> sending = new ArrayList<>();
          for (int s = 0; s <= THREADS; s++) {
            ChangeCargo cargo = randomCargo(s, STALLED_BASE);
            stalled.add(CargoDigest.of(cargo));
            sending.add(Waiting.start(() -> sender.send(cargo).snapshotTimestamp()));
          }
          Waiting.await(() -> halting.shipments() == stalled.size());

          ChangeCargo cargo = randomCargo(77, 0);
          assertThat(sender.send(cargo).snapshotTimestamp()).isEqualTo(1);
          assertThat(committed).containsExactly(CargoDigest.of(cargo));
          assertThat(sending).noneMatch(running -> running.result().isDone());

          halting.goOn();
          for (Running<Long> running : sending) {
            assertThat(running.get()).isEqualTo(1);
          }
          assertThat(committed).containsAll(stalled);
        });
  }

  private static ChangeCargo randomCargo(long seed, long baseSnapshot) {
    return cargo(seed, baseSnapshot, new long[][] {new Random(seed).longs(1 << 18).toArray()});
  }

  private static ChangeCargo cargo(long id, long baseSnapshot, long[][] pages) {
    return ChangeCargo.builder(new UUID(id, 2), baseSnapshot)
        .table("t", table -> table.insert("c", ColumnValues.of(pages)))
        .build();
  }

  /** Keeps the frames of some shipments, undecoded, until they may go on. */
  private static final class Halting {
    private final List<Runnable> kept = new ArrayList<>();
    private int shipments;
    private boolean goingOn;

    /** Adds a shipment, which counts from its first frame on. */
    Consumer<Lease> shipment(ShipmentHandler handler) {
      boolean[] begun = new boolean[1];
      return frame -> {
        keep(() -> handler.onFrame(frame), !begun[0]);
        begun[0] = true;
      };
    }

    private synchronized void keep(Runnable frame, boolean first) {
      shipments += first ? 1 : 0;
      if (goingOn) {
        frame.run();
      } else {
        kept.add(frame);
      }
    }

    synchronized int shipments() {
      return shipments;
    }

    synchronized void goOn() {
      goingOn = true;
      kept.forEach(Runnable::run);
      kept.clear();
    }
  }

  private static long directBytes() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals("direct"))
        .mapToLong(BufferPoolMXBean::getMemoryUsed)
        .sum();
  }
}
