package io.drayage.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnValues;
import io.drayage.compressor.Compressors;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.memory.Lease;
import io.drayage.pipeline.CargoReceiver;
import io.drayage.pipeline.CodecPool;
import io.drayage.pipeline.ReceiverLimits;
import io.drayage.pipeline.SendReport;
import io.drayage.pipeline.segments.SegmentsSender;
import io.drayage.serializer.Serializers;
import io.drayage.testing.Waiting;
import io.drayage.testing.Waiting.Running;
import io.drayage.transport.ShipmentHandler;
import io.drayage.transport.ShipmentReplies;
import io.drayage.transport.TcpWire;
import io.drayage.transport.TransportOptions;
import io.drayage.transport.TransportServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.BitSet;
import java.util.Queue;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A whole cargo, from arrays to arrays, over connections that are cut again and again. */
@Timeout(120)
class CutCargoTest {
  private static final int ROWS = 1_000_000;
  private static final int COLUMNS = 12;
  private static final int CUTS = 10;

  /** So that all cuts fall into the cargo's 92 segments. */
  private static final int FRAMES_BETWEEN_CUTS = 8;

  private final Queue<Long> committed = new ConcurrentLinkedQueue<>();
  private final AtomicInteger arrived = new AtomicInteger();
  private final CargoReceiver receiver =
      new CargoReceiver(
          cargo -> {
            committed.add(CargoDigest.of(cargo));
            return committed.size();
          },
          new ReceiverLimits(512 << 20, 512 << 20, 8),
          2);

  @AfterEach
  void everyBufferIsReleased() {
    receiver.close();
    DirectMemory.assertAllReleased();
  }

  private static ChangeCargo cargo(long seed) {
    Random random = new Random(seed);
    return ChangeCargo.builder(new UUID(seed, 1), 0)
        .table(
            "t",
            table -> {
              for (int c = 0; c < COLUMNS; c++) {
                long[][] pages = {random.longs(ROWS).toArray()};
                table.insert("c" + c, ColumnValues.of(pages));
              }
            })
        .build();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void arrivesWholeAndOnce(int connections) throws Exception {
    ChangeCargo cargo = cargo(connections);
    TransportOptions options = TransportOptions.DEFAULT.withConnections(connections);
    try (TransportServer server =
            NettyTransport.best()
                .listen(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                    this::accept,
                    options);
        TcpWire wire = new TcpWire(server.address());
        CodecPool pool = new CodecPool(2, "encode");
        SegmentsSender sender =
            new SegmentsSender(
                NettyTransport.best().client(wire.address(), options),
                pool,
                Serializers.ofName("raw"),
                Compressors.ofName("none"),
                "cut worker")) {
      Running<Boolean> cutter = Waiting.start(() -> cut(wire));

      SendReport report = sender.send(cargo);

      assertThat(cutter.get()).isTrue();
      assertThat(report.snapshotTimestamp()).isEqualTo(1);
      // Some cuts may fall on connections that are just being made, and so count for one.
      assertThat(report.reconnects()).isBetween(CUTS / 2, CUTS);
    }
    assertThat(committed).containsExactly(CargoDigest.of(cargo));
  }

  /** Cuts each time when some more frames have arrived. */
  private boolean cut(TcpWire wire) {
    for (int cut = 1; cut <= CUTS; cut++) {
      int enough = cut * FRAMES_BETWEEN_CUTS;
      Waiting.await(() -> arrived.get() >= enough);
      wire.cut();
    }
    return true;
  }

  private ShipmentHandler accept(ShipmentHeader header, ShipmentReplies replies)
      throws ShipmentException {
    ShipmentHandler handler = receiver.accept(header, replies);
    return new ShipmentHandler() {
      @Override
      public void onFrame(Lease frame) {
        arrived.incrementAndGet();
        handler.onFrame(frame);
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
}
