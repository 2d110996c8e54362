package io.drayage.send;

import static io.drayage.testing.Faults.assertFault;
import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.RandomCargo;
import io.drayage.codec.Compressors;
import io.drayage.codec.Serializers;
import io.drayage.codec.pool.CodecPool;
import io.drayage.frame.Fault;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.FrameType;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.memory.Lease;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.receive.CargoReceiver;
import io.drayage.receive.ReceiverLimits;
import io.drayage.transport.LoopbackTransport;
import io.drayage.transport.ShipmentAcceptor;
import io.drayage.transport.ShipmentHandler;
import io.drayage.transport.ShipmentReplies;
import io.drayage.transport.TransportOptions;
import io.drayage.transport.TransportServer;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.BitSet;
import java.util.Queue;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Shipments whose wire is cut, over the loopback transport. */
@Timeout(60)
final class SenderResumeTest {
  private static final int SEGMENT_BYTES = SegmentsSender.MIN_SEGMENT_BYTES;
  private static final TransportOptions OPTIONS =
      TransportOptions.builder().receiverBytes(5 << 20, 40 << 20).build();

  private final LoopbackTransport transport = new LoopbackTransport();
  private final Queue<Long> committed = new ConcurrentLinkedQueue<>();
  private final CodecPool pool = new CodecPool(2, "encode");
  private final CargoReceiver receiver =
      new CargoReceiver(
          cargo -> {
            committed.add(CargoDigest.of(cargo));
            return 7;
          },
          new ReceiverLimits(256 << 20, 256 << 20, 1),
          2);

  @AfterEach
  void closeAll() {
    pool.close();
    receiver.close();
  }

  /** Cuts the wire when a frame of this type has come, and this predicate of their number holds. */
  private final class Cutting implements ShipmentAcceptor {
    private final FrameType type;
    private final IntPredicate cut;
    private final AtomicInteger frames = new AtomicInteger();
    private final CompletableFuture<InetSocketAddress> address = new CompletableFuture<>();

    Cutting(FrameType type, IntPredicate cut) {
      this.type = type;
      this.cut = cut;
    }

    @Override
    public ShipmentHandler accept(ShipmentHeader header, ShipmentReplies replies)
        throws ShipmentException {
      ShipmentHandler handler = receiver.accept(header, replies);
      return new ShipmentHandler() {
        @Override
        public void onFrame(Lease frame) {
          boolean counts = FrameHeader.type(frame.buffer()) == type;
          handler.onFrame(frame);
          if (counts && cut.test(frames.incrementAndGet())) {
            cutNow();
          }
        }

        @Override
        public void onAborted(ShipmentException cause) {
          handler.onAborted(cause);
        }

        @Override
        public boolean isResumable() {
          return handler.isResumable();
        }

        @Override
        public CompletableFuture<BitSet> settled() {
          return handler.settled();
        }
      };
    }

    private void cutNow() {
      try {
        transport.cut(address.join());
      } catch (ShipmentException e) {
        throw new AssertionError(e);
      }
    }
  }

  private SendReport ship(ChangeCargo cargo, Cutting cutting, TransportOptions options)
      throws Exception {
    try (TransportServer server = transport.listen(new InetSocketAddress(0), cutting, options);
        SegmentsSender sender =
            new SegmentsSender(
                transport.client(server.address(), options),
                pool,
                Serializers.ofName("raw"),
                Compressors.ofName("none"),
                "worker",
                SEGMENT_BYTES,
                new DrayageMetrics())) {
      cutting.address.complete(server.address());
      return sender.send(cargo);
    }
  }

  private static ChangeCargo cargoOf64MiB() {
    Random random = new Random(1);
    long[][] pages = new long[128][ColumnValues.DEFAULT_ROWS_PER_PAGE];
    for (long[] page : pages) {
      for (int row = 0; row < page.length; row++) {
        page[row] = random.nextLong();
      }
    }
    return ChangeCargo.builder(new UUID(1, 2), 3)
        .table("t", table -> table.insert("c", ColumnValues.of(pages)))
        .build();
  }

  @Test
  void tenCutsCostLessThanFifteenPercent() throws Exception {
    ChangeCargo cargo = cargoOf64MiB();

    SendReport report =
        ship(cargo, new Cutting(FrameType.SEGMENT, n -> n % 100 == 0 && n <= 1_000), OPTIONS);

    assertThat(committed).containsExactly(CargoDigest.of(cargo));
    assertThat(report.reconnects()).isEqualTo(10);
    assertThat(report.snapshotTimestamp()).isEqualTo(7);
    // A cut that finds nothing in flight costs nothing.
    assertThat(report.resentBytes()).isBetween(0L, (64L << 20) * 15 / 100);
    assertThat(report.wireBytes()).isLessThan((64L << 20) * 115 / 100);
    assertThat(report.frames()).isEqualTo(1_024);
  }

  @ParameterizedTest
  @EnumSource(
      value = FrameType.class,
      names = {"MANIFEST", "SEGMENT", "SEAL"})
  void goesOnAfterACutBehindTheFirst(FrameType type) throws Exception {
    ChangeCargo cargo = RandomCargo.of(3, 30_000);

    SendReport report = ship(cargo, new Cutting(type, n -> n == 1), OPTIONS);

    assertThat(committed).as("seed 3").containsExactly(CargoDigest.of(cargo));
    assertThat(report.reconnects()).isBetween(0, 1);
  }

  @Test
  void emptyCargoSurvivesACutBehindItsManifest() throws Exception {
    ChangeCargo cargo = ChangeCargo.builder(new UUID(1, 2), 3).build();

    ship(cargo, new Cutting(FrameType.MANIFEST, n -> n == 1), OPTIONS);

    assertThat(committed).containsExactly(CargoDigest.of(cargo));
  }

  @Test
  void withoutAWindowALossIsTheEnd() throws Exception {
    Cutting cutting = new Cutting(FrameType.SEGMENT, n -> n == 3);
    ChangeCargo cargo = RandomCargo.of(4, 30_000);

    assertFault(
            Fault.PEER_GONE,
            () -> ship(cargo, cutting, OPTIONS.toBuilder().resumeWindow(Duration.ZERO).build()))
        .hasMessageContaining("the wire was cut");
    assertThat(committed).isEmpty();
  }
}
