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
import io.drayage.testing.Waiting;
import io.drayage.testing.Waiting.Running;
import io.drayage.transport.LoopbackTransport;
import io.drayage.transport.ShipmentHandler;
import io.drayage.transport.ShipmentReplies;
import io.drayage.transport.TransportOptions;
import io.drayage.transport.TransportServer;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Several shipments of one sender, some of which their receiver brings to a halt. */
@Timeout(60)
final class FairSenderTest {
  private static final int THREADS = 2;
  private static final int SEGMENT_BYTES = SegmentsSender.MIN_SEGMENT_BYTES;
  private static final long BUDGET_BYTES = 4L * SEGMENT_BYTES * 5 / 4;
  private static final long STALLED_BASE = 99;

  private final Queue<Long> committed = new ConcurrentLinkedQueue<>();
  private final ByteBudget budget = new ByteBudget(BUDGET_BYTES);

  @Test
  void stalledShipmentsHoldUpNoOther() throws Exception {
    LoopbackTransport transport = new LoopbackTransport();
    Halting halting = new Halting();
    try (CargoReceiver receiver =
            new CargoReceiver(
                cargo -> {
                  committed.add(CargoDigest.of(cargo));
                  return 1;
                },
                new ReceiverLimits(256 << 20, 256 << 20, 8),
                THREADS);
        TransportServer server =
            transport.listen(
                new InetSocketAddress(0),
                (header, replies) -> halting.accept(receiver, header, replies),
                TransportOptions.DEFAULT);
        CodecPool pool = new CodecPool(THREADS, "encode");
        SegmentsSender sender =
            new SegmentsSender(
                transport.client(server.address(), TransportOptions.DEFAULT),
                pool,
                Serializers.ofName("raw"),
                Compressors.ofName("none"),
                "worker",
                SEGMENT_BYTES,
                budget,
                new DrayageMetrics())) {
      // More of them than threads, and more frames in each than the budget has room for.
      List<ChangeCargo> stalled = new ArrayList<>();
      List<Running<Long>> sending = new ArrayList<>();
      for (int s = 0; s <= THREADS; s++) {
        ChangeCargo cargo = cargo(s, STALLED_BASE);
        stalled.add(cargo);
        sending.add(Waiting.start(() -> sender.send(cargo).snapshotTimestamp()));
      }
      Waiting.await(() -> halting.shipments() == stalled.size());

      ChangeCargo cargo = cargo(77, 0);
      assertThat(sender.send(cargo).snapshotTimestamp()).isEqualTo(1);
      assertThat(committed).containsExactly(CargoDigest.of(cargo));
      assertThat(sending).noneMatch(running -> running.result().isDone());

      halting.goOn();
      for (Running<Long> running : sending) {
        assertThat(running.get()).isEqualTo(1);
      }
      assertThat(committed).contains(stalled.stream().map(CargoDigest::of).toArray(Long[]::new));
    }
    assertThat(budget.usedBytes()).isZero();
  }

  private static ChangeCargo cargo(long seed, long baseSnapshot) {
    long[][] pages = {new Random(seed).longs(1 << 18).toArray()};
    return ChangeCargo.builder(new UUID(seed, 2), baseSnapshot)
        .table("t", table -> table.insert("c", ColumnValues.of(pages)))
        .build();
  }

  /** Keeps the frames of some shipments, undecoded, until it is told to go on. */
  private static final class Halting {
    private final List<Runnable> kept = new ArrayList<>();
    private int shipments;
    private boolean goingOn;

    ShipmentHandler accept(CargoReceiver receiver, ShipmentHeader header, ShipmentReplies replies)
        throws ShipmentException {
      ShipmentHandler handler = receiver.accept(header, replies);
      if (header.baseSnapshot() != STALLED_BASE) {
        return handler;
      }
      return new ShipmentHandler() {
        private boolean begun;

        @Override
        public void onFrame(Lease frame) {
          keep(() -> handler.onFrame(frame), !begun);
          begun = true;
        }

        @Override
        public void onAborted(ShipmentException cause) {
          handler.onAborted(cause);
        }
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
}
