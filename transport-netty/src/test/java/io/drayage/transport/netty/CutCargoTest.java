package io.drayage.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.RandomCargo;
import io.drayage.codec.pool.CodecPool;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.FrameType;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.memory.Lease;
import io.drayage.receive.CargoReceiver;
import io.drayage.send.SendReport;
import io.drayage.testing.CargoBytes;
import io.drayage.testing.Ends;
import io.drayage.transport.ForwardingHandler;
import io.drayage.transport.ShipmentAcceptor;
import io.drayage.transport.ShipmentHandler;
import io.drayage.transport.ShipmentReplies;
import io.drayage.transport.TcpWire;
import io.drayage.transport.TransportOptions;
import java.util.Queue;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A whole cargo, from arrays to arrays, over connections that are cut repeatedly. */
@Timeout(300)
class CutCargoTest {
  private static final int ROWS = 1_000_000;
  private static final int COLUMNS = 12;
  private static final int CUTS = 10;

  /** Bytes in flight: the window, and buffers. Less than all that has arrived before. */
  private static final long MAX_RESENT_BYTES = 16 << 20;

  /** Chosen so that all cuts fall into the cargo's 92 segments. */
  private static final int FRAMES_BETWEEN_CUTS = 8;

  private final Queue<Long> committed = new ConcurrentLinkedQueue<>();
  private final AtomicInteger arrived = new AtomicInteger();

  /** Selects the frames after which the connections are cut. */
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
  void arrivesWholeAndOnceAndEachCutCostsAWindow() throws Exception {
    ChangeCargo cargo = cargo(2);
    cuts =
        frame -> {
          int count = arrived.incrementAndGet();
          return count % FRAMES_BETWEEN_CUTS == 0 && count <= CUTS * FRAMES_BETWEEN_CUTS;
        };
    SendReport report = ship(cargo, TransportOptions.builder().connections(2).build());

    assertThat(report.snapshotTimestamp()).isEqualTo(1);
    // Some cuts may hit connections that are being established, and then count for one.
    assertThat(report.reconnects()).isBetween(CUTS / 2, CUTS);
    assertThat(report.resentBytes()).isBetween(1L, CUTS * MAX_RESENT_BYTES);
    assertThat(committed).containsExactly(CargoDigest.of(cargo));
  }

  /** Cuts after the first frame of a type. No rows make an empty cargo. */
  @ParameterizedTest
  @CsvSource({"MANIFEST, 30000", "SEGMENT, 30000", "SEAL, 30000", "MANIFEST, 0"})
  void goesOnAfterACut(FrameType type, int rows) throws Exception {
    cuts = frame -> frame == type && arrived.incrementAndGet() == 1;
    ChangeCargo cargo =
        rows > 0 ? RandomCargo.of(3, rows) : ChangeCargo.builder(new UUID(1, 2), 3).build();
    assertThat(ship(cargo, TransportOptions.DEFAULT).reconnects()).isBetween(0, 1);
    assertThat(committed).containsExactly(CargoDigest.of(cargo));
  }

  private SendReport ship(ChangeCargo cargo, TransportOptions options) throws Exception {
    CompletableFuture<TcpWire> toCut = new CompletableFuture<>();
    try (Ends ends = new Ends(NettyTransport.best(), options)) {
      CargoReceiver receiver = ends.receive(this::commit);
      ends.listen((header, replies) -> accept(receiver, header, replies, toCut));
      TcpWire wire = ends.opened(new TcpWire(ends.server().address()));
      CodecPool pool = ends.opened(new CodecPool(2, "encode"));
      toCut.complete(wire);
      return ends.opened(
              CargoBytes.sender(NettyTransport.best().client(wire.address(), options), pool))
          .send(cargo);
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
