package io.drayage.transactor;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.baseline.stream.StreamSender;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnValues;
import io.drayage.codec.Compressors;
import io.drayage.codec.Serializers;
import io.drayage.frame.Fault;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.FrameType;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.memory.Lease;
import io.drayage.receive.AllowedCodecs;
import io.drayage.replica.Replica;
import io.drayage.send.CargoSender;
import io.drayage.testing.Waiting;
import io.drayage.testing.WireFrames;
import io.drayage.transport.ForwardingShipment;
import io.drayage.transport.Shipment;
import io.drayage.transport.TransportClient;
import io.drayage.transport.TransportOptions;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A worker that sends more than its cargo does not make the log unreadable. */
@Timeout(180)
class SurplusFrameTest {
  private static final int PAGES = 8;
  private static final int ROWS_PER_PAGE = 1 << 16;

  @TempDir private Path folder;

  /** Sends one chunk more, right behind the seal. */
  private record SurplusClient(TransportClient client) implements TransportClient {
    @Override
    public Shipment open(ShipmentHeader header) throws ShipmentException, InterruptedException {
      return new SurplusShipment(client.open(header));
    }

    @Override
    public void close() {
      client.close();
    }
  }

  private static final class SurplusShipment extends ForwardingShipment {
    SurplusShipment(Shipment shipment) {
      super(shipment);
    }

    @Override
    public boolean offer(Lease frame) throws ShipmentException {
      boolean isSeal = FrameHeader.type(frame.buffer()) == FrameType.SEAL;
      boolean offered = super.offer(frame);
      if (offered && isSeal) {
        ByteBuffer chunk = WireFrames.of(FrameType.CHUNK, id(), (byte) 0);
        boolean unused = super.offer(new Lease(chunk, () -> {}));
      }
      return offered;
    }
  }

  @Test
  void aChunkBehindTheSealNeverGetsIntoTheLog() throws Exception {
    try (TestCluster cluster = new TestCluster(folder)) {
      TransactorNode node = cluster.transactor("t1");
      Waiting.await(node::isPrimary);
      TransportClient client =
          cluster.transport.client(
              InetSocketAddress.createUnresolved("loopback", TestCluster.port(node)),
              TransportOptions.DEFAULT);
      int[][] numbers = new int[PAGES][ROWS_PER_PAGE];
      String[][] notes = new String[PAGES][ROWS_PER_PAGE];
      for (String[] page : notes) {
        Arrays.fill(page, "n");
      }
      try (CargoSender sender =
          new StreamSender(
              new SurplusClient(client),
              Serializers.ofName("msgpack"),
              Compressors.ofName("none"),
              "hostile")) {
        for (int attempt = 0; attempt < 3; attempt++) {
          ChangeCargo cargo =
              ChangeCargo.builder(new UUID(1, attempt), node.snapshot().timestamp())
                  .table(
                      "events",
                      table ->
                          table
                              .insert("worker", ColumnValues.of(numbers))
                              .insert("number", ColumnValues.of(numbers))
                              .insert("note", ColumnValues.ofTexts(notes)))
                  .build();
          Waiting.await(() -> isTaken(sender, cargo));
        }
      }
      try (Replica copy = Replica.open(cluster.objects, 2, 1 << 28, 0, AllowedCodecs.DATA_ONLY)) {
        assertThat(copy.advance(node.snapshot().timestamp()))
            .isEqualTo(node.snapshot().timestamp());
      }
    }
  }

  /** False as long as the primary does not take shipments yet. */
  private static boolean isTaken(CargoSender sender, ChangeCargo cargo) {
    try {
      sender.send(cargo);
    } catch (ShipmentException e) {
      if (e.fault() == Fault.CANCELLED) {
        return false;
      }
      assertThat(e.fault()).as(e.toString()).isEqualTo(Fault.PROTOCOL_VIOLATION);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    return true;
  }
}
