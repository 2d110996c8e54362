package io.drayage.transport.netty;

import static io.drayage.testing.Faults.assertFault;
import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnType;
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
import io.drayage.receive.CargoReceiver;
import io.drayage.receive.ReceiverLimits;
import io.drayage.send.SegmentsSender;
import io.drayage.send.SendReport;
import io.drayage.testing.DigestingReceiver;
import io.drayage.transport.ForwardingHandler;
import io.drayage.transport.ShipmentAcceptor;
import io.drayage.transport.ShipmentHandler;
import io.drayage.transport.ShipmentReplies;
import io.drayage.transport.TcpWire;
import io.drayage.transport.TransportOptions;
import io.drayage.transport.TransportServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.Queue;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A whole cargo, from arrays to arrays, over connections that are cut again and again. */
@Timeout(300)
class CutCargoTest {
  private static final int ROWS = 1_000_000;
  private static final int COLUMNS = 12;
  private static final int CUTS = 10;

  /** So that all cuts fall into the cargo's 92 segments. */
  private static final int FRAMES_BETWEEN_CUTS = 8;

  private final Queue<Long> committed = new ConcurrentLinkedQueue<>();
  private final AtomicInteger arrived = new AtomicInteger();

  /** Whether the connections are cut behind a frame of this type. */
  private volatile Predicate<FrameType> cuts = frame -> false;

  @AfterEach
  void everyBufferIsReleased() {
    DirectMemory.assertAllReleased();
  }

  private long commit(ChangeCargo cargo) {
    committed.add(CargoDigest.of(cargo));
    return committed.size();
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

  @Test
  void arrivesWholeAndOnce() throws Exception {
    arrivesWholeAndOnce(2);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  @Tag("ci")
  void arrivesWholeAndOnce(int connections) throws Exception {
    ChangeCargo cargo = cargo(connections);
    try (CargoReceiver receiver = receiver()) {
      shipCut(cargo, receiver, connections, FRAMES_BETWEEN_CUTS);
    }
    assertThat(committed).containsExactly(CargoDigest.of(cargo));
  }

  @Test
  @Tag("ci")
  void tenCutsCostLessThan15PercentOfAGigabyte() throws Exception {
    ChangeCargo cargo = cargoOnDemand((1L << 30) / Long.BYTES);
    SendReport report;
    try (DigestingReceiver receiver = new DigestingReceiver()) {
      report = shipCut(cargo, receiver, 1, 95);
      assertThat(receiver.digest()).isEqualTo(CargoDigest.of(cargo));
    }
    assertThat(report.reconnects()).isEqualTo(CUTS);
    assertThat(report.resentBytes()).isBetween(1L, (15L << 30) / 100);
  }

  /** One column of so many longs, made when they are asked for. */
  private static ChangeCargo cargoOnDemand(long rows) {
    ColumnValues values =
        ColumnValues.onDemand(
            ColumnType.LONG,
            rows,
            ColumnValues.DEFAULT_ROWS_PER_PAGE,
            page -> {
              long[] made = new long[ColumnValues.DEFAULT_ROWS_PER_PAGE];
              Arrays.setAll(made, row -> ((long) page << 32) ^ row);
              return made;
            });
    return ChangeCargo.builder(new UUID(5, 1), 0)
        .table("t", table -> table.insert("c", values))
        .build();
  }

  @ParameterizedTest
  @EnumSource(
      value = FrameType.class,
      names = {"MANIFEST", "SEGMENT", "SEAL"})
  void goesOnAfterACutBehindTheFirst(FrameType type) throws Exception {
    cuts = frame -> frame == type && arrived.incrementAndGet() == 1;
    assertArrives(RandomCargo.of(3, 30_000));
  }

  @Test
  void emptyCargoSurvivesACutBehindItsManifest() throws Exception {
    cuts = frame -> frame == FrameType.MANIFEST && arrived.incrementAndGet() == 1;
    assertArrives(ChangeCargo.builder(new UUID(1, 2), 3).build());
  }

  private void assertArrives(ChangeCargo cargo) throws Exception {
    try (CargoReceiver receiver = receiver()) {
      SendReport report = ship(cargo, receiver, TransportOptions.DEFAULT);
      assertThat(report.reconnects()).isBetween(0, 1);
    }
    assertThat(committed).containsExactly(CargoDigest.of(cargo));
  }

  @Test
  void withoutAWindowALossIsTheEnd() throws Exception {
    cuts = frame -> arrived.incrementAndGet() == 3;
    TransportOptions options = TransportOptions.builder().resumeWindow(Duration.ZERO).build();
    try (CargoReceiver receiver = receiver()) {
      assertFault(Fault.PEER_GONE, () -> ship(cargo(3), receiver, options));
    }
    assertThat(committed).isEmpty();
  }

  private CargoReceiver receiver() {
    return new CargoReceiver(this::commit, new ReceiverLimits(512 << 20, 512 << 20, 8), 2);
  }

  /** Ships while the connections are cut again and again. */
  private SendReport shipCut(
      ChangeCargo cargo, ShipmentAcceptor receiver, int connections, int framesBetweenCuts)
      throws Exception {
    cuts =
        frame -> {
          int count = arrived.incrementAndGet();
          return count % framesBetweenCuts == 0 && count <= CUTS * framesBetweenCuts;
        };
    TransportOptions options = TransportOptions.builder().connections(connections).build();
    SendReport report = ship(cargo, receiver, options);
    assertThat(report.snapshotTimestamp()).isEqualTo(1);
    // Some cuts may fall on connections that are just being made, and so count for one.
    assertThat(report.reconnects()).isBetween(CUTS / 2, CUTS);
    return report;
  }

  private SendReport ship(ChangeCargo cargo, ShipmentAcceptor receiver, TransportOptions options)
      throws Exception {
    CompletableFuture<TcpWire> toCut = new CompletableFuture<>();
    try (TransportServer server =
            NettyTransport.best()
                .listen(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                    (header, replies) -> accept(receiver, header, replies, toCut),
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
      toCut.complete(wire);
      return sender.send(cargo);
    }
  }

  private ShipmentHandler accept(
      ShipmentAcceptor receiver,
      ShipmentHeader header,
      ShipmentReplies replies,
      CompletableFuture<TcpWire> toCut)
      throws ShipmentException {
    return new ForwardingHandler(receiver.accept(header, replies)) {
      @Override
      public void onFrame(Lease frame) {
        FrameType type = FrameHeader.type(frame.buffer());
        super.onFrame(frame);
        cutAfter(type);
      }

      @Override
      public void onSegment(Lease frame) {
        super.onSegment(frame);
        cutAfter(FrameType.SEGMENT);
      }

      private void cutAfter(FrameType type) {
        if (cuts.test(type)) {
          toCut.join().cut();
        }
      }
    };
  }
}
