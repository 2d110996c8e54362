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
import io.drayage.receive.ReceiverLimits;
import io.drayage.transport.LoopbackTransport;
import io.drayage.transport.ShipmentHandler;
import io.drayage.transport.ShipmentReplies;
import io.drayage.transport.TransportOptions;
import io.drayage.transport.TransportServer;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a shipment takes beyond its cargo does not depend on the size of the cargo. */
@Timeout(60)
final class BoundedMemoryTest {
  private static final int THREADS = 2;
  private static final int SEGMENT_BYTES = SegmentsSender.MIN_SEGMENT_BYTES;
  private static final long BUDGET_BYTES = 4L * SEGMENT_BYTES * 5 / 4;
  private static final long WINDOW_BYTES = 5 << 20;
  private static final TransportOptions OPTIONS =
      TransportOptions.builder().receiverBytes(WINDOW_BYTES, WINDOW_BYTES).build();

  private final LoopbackTransport transport = new LoopbackTransport();
  private final BlockingQueue<Long> committed = new LinkedBlockingQueue<>();
  private final AtomicLong leasedBytes = new AtomicLong();
  private final AtomicLong peakLeasedBytes = new AtomicLong();
  private final AtomicLong peakDirectBytes = new AtomicLong();

  @ParameterizedTest
  @ValueSource(ints = {8, 64})
  void takesTheBudgetAndTheWindowWhateverTheCargo(int mebibytes) throws Exception {
    ChangeCargo cargo = cargo(mebibytes);
    ByteBudget budget = new ByteBudget(BUDGET_BYTES);
    long directBefore = directBytes();

    ship(cargo, budget);

    assertThat(committed.take()).isEqualTo(CargoDigest.of(cargo));
    assertThat(budget.peakBytes()).isPositive().isLessThanOrEqualTo(BUDGET_BYTES);
    assertThat(budget.usedBytes()).isZero();
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

  private static ChangeCargo cargo(int mebibytes) {
    long[][] pages = new long[2 * mebibytes][ColumnValues.DEFAULT_ROWS_PER_PAGE];
    for (int page = 0; page < pages.length; page++) {
      pages[page][page] = page;
    }
    return ChangeCargo.builder(new UUID(1, 2), 3)
        .table("t", table -> table.insert("c", ColumnValues.of(pages)))
        .build();
  }

  private void ship(ChangeCargo cargo, ByteBudget budget) throws Exception {
    try (CargoReceiver receiver =
            new CargoReceiver(
                arrived -> {
                  committed.add(CargoDigest.of(arrived));
                  return 1;
                },
                new ReceiverLimits(256 << 20, 256 << 20, 1),
                THREADS);
        TransportServer server =
            transport.listen(
                new InetSocketAddress(0),
                (header, replies) -> counting(receiver, header, replies),
                OPTIONS);
        CodecPool pool = new CodecPool(THREADS, "encode");
        SegmentsSender sender =
            new SegmentsSender(
                transport.client(server.address(), OPTIONS),
                pool,
                Serializers.ofName("raw"),
                Compressors.ofName("none"),
                "worker",
                SEGMENT_BYTES,
                budget,
                new DrayageMetrics())) {
      sender.send(cargo);
    }
  }

  /** Counts what the receiver holds; codec threads decode as fast as they like. */
  private ShipmentHandler counting(
      CargoReceiver receiver, ShipmentHeader header, ShipmentReplies replies)
      throws ShipmentException {
    ShipmentHandler handler = receiver.accept(header, replies);
    return new ShipmentHandler() {
      @Override
      public void onFrame(Lease frame) {
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
      }

      @Override
      public void onAborted(ShipmentException cause) {
        handler.onAborted(cause);
      }
    };
  }

  private static long directBytes() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals("direct"))
        .mapToLong(BufferPoolMXBean::getMemoryUsed)
        .sum();
  }
}
