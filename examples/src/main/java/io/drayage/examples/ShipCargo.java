package io.drayage.examples;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnValues;
import io.drayage.codec.Compressors;
import io.drayage.codec.Serializers;
import io.drayage.codec.pool.CodecPool;
import io.drayage.receive.CargoReceiver;
import io.drayage.receive.MemoryCommitter;
import io.drayage.receive.ReceiverLimits;
import io.drayage.send.CargoSender;
import io.drayage.send.SegmentsSender;
import io.drayage.send.SendReport;
import io.drayage.transport.TransportOptions;
import io.drayage.transport.TransportServer;
import io.drayage.transport.netty.NettyTransport;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Ships one cargo from a worker to a transactor in the same process. README.md shows the marked
 * lines.
 */
public final class ShipCargo {
  private ShipCargo() {}

  /** Ships two rows over loopback and prints the result. */
  public static void main(String... args) throws Exception {
    InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    // README begin
    NettyTransport transport = NettyTransport.best();
    AtomicLong snapshot = new AtomicLong(41);
    // Called once for each transaction, however often it is sent: apply it, return the snapshot.
    MemoryCommitter database = cargo -> snapshot.incrementAndGet();

    try (CargoReceiver receiver = new CargoReceiver(database, ReceiverLimits.ofHeap(), 2);
        TransportServer server = transport.listen(anyPort, receiver, TransportOptions.DEFAULT);
        CodecPool pool = new CodecPool(2, "encode");
        CargoSender sender =
            new SegmentsSender(
                transport.client(server.address(), TransportOptions.DEFAULT),
                pool,
                Serializers.ofName("columnar"),
                Compressors.ofName("none"),
                "worker-1")) {
      ChangeCargo cargo =
          ChangeCargo.builder(UUID.randomUUID(), 41)
              .table(
                  "sales",
                  sales ->
                      sales
                          .insert("product", ColumnValues.of(new int[][] {{17, 4}}))
                          .insert("price", ColumnValues.of(new double[][] {{9.99, 0.5}})))
              .build();
      SendReport report = sender.send(cargo); // returns once the database has committed it
      System.out.printf("%,d bytes, snapshot %d%n", report.wireBytes(), report.snapshotTimestamp());
    }
    // README end
  }
}
