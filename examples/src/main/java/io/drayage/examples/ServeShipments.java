package io.drayage.examples;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnValues;
import io.drayage.codec.Compressors;
import io.drayage.codec.Serializers;
import io.drayage.codec.pool.CodecPool;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.metrics.micrometer.DrayageMeters;
import io.drayage.receive.CargoReceiver;
import io.drayage.receive.MemoryCommitter;
import io.drayage.receive.ReceiverLimits;
import io.drayage.segment.SegmentPlanner;
import io.drayage.send.CargoSender;
import io.drayage.send.SegmentsSender;
import io.drayage.send.SendReport;
import io.drayage.transport.TlsOptions;
import io.drayage.transport.TransportOptions;
import io.drayage.transport.TransportServer;
import io.drayage.transport.netty.NettyTransport;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;

/**
 * Both ends of a link in production: with certificates, limits and metrics, and closed in order.
 * docs/embedding.md shows the marked lines.
 */
public final class ServeShipments {
  private static final NettyTransport TRANSPORT = NettyTransport.best();

  private ServeShipments() {}

  /** Ships a row; the argument is a folder with a certificate authority and certificates. */
  public static void main(String... args) throws Exception {
    Path pki = Path.of(args[0]);
    InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    MemoryCommitter database = cargo -> cargo.baseSnapshot() + 1;
    MeterRegistry registry = new SimpleMeterRegistry();

    // limits begin
    ReceiverLimits limits =
        new ReceiverLimits(
            256 << 20, // bytes of a cargo at most
            512 << 20, // bytes of all that are being received or wait for their commit
            64); // shipments at a time
    // limits end

    // transactor begin
    TlsOptions onlyWorkers =
        TlsOptions.ofServer(pki.resolve("transactor.pem"), pki.resolve("transactor.key"))
            .requiringWorkers(pki.resolve("authority.pem"), Set.of("worker-1"));
    TransportOptions listening =
        TransportOptions.builder()
            .tls(onlyWorkers)
            .drainTimeout(Duration.ofSeconds(20)) // of shipments under way when it is closed
            .build();

    DrayageMetrics metrics = new DrayageMetrics(); // of the receiver and its transport
    DrayageMeters.bind(registry, metrics, "node", "transactor-1");
    CargoReceiver receiver = CargoReceiver.builder(database, limits, 2).metrics(metrics).build();
    TransportServer server = TRANSPORT.listen(anyPort, receiver, listening, metrics);
    // transactor end

    shipOne(server.address(), pki);
    // shutdown begin
    Thread shutdown =
        new Thread(
            () -> {
              server.close(); // accepts no more, and lets those under way end
              receiver.close(); // after all that bring it something
            });
    Runtime.getRuntime().addShutdownHook(shutdown); // upon SIGTERM
    // shutdown end
    boolean unused = Runtime.getRuntime().removeShutdownHook(shutdown);
    shutdown.start();
    shutdown.join();
    // meters begin
    double committed = registry.get("drayage.shipments.committed").functionCounter().count();
    // meters end
    System.out.printf("%.0f shipment committed%n", committed);
  }

  private static void shipOne(InetSocketAddress transactor, Path pki) throws Exception {
    // worker begin
    TransportOptions secured =
        TransportOptions.builder()
            .tls(
                TlsOptions.ofClient(pki.resolve("authority.pem"))
                    .withIdentity(pki.resolve("worker-1.pem"), pki.resolve("worker-1.key"))
                    .withPeerName("transactor-1")) // if it is not the host that is connected to
            .build();
    DrayageMetrics metrics = new DrayageMetrics(); // of the sender and its transport
    try (CodecPool pool = new CodecPool(2, "encode"); // one for all senders of a process
        CargoSender sender =
            new SegmentsSender(
                TRANSPORT.client(transactor, secured, metrics),
                pool,
                Serializers.ofName("columnar"),
                Compressors.ofName("none"),
                "worker-1", // the name in its certificate
                SegmentPlanner.DEFAULT_SEGMENT_BYTES,
                metrics)) {
      SendReport report = sender.send(sales());
      System.out.printf("snapshot %d%n", report.snapshotTimestamp());
    } // closes its connections; the pool last
    // worker end
  }

  private static ChangeCargo sales() {
    return ChangeCargo.builder(UUID.randomUUID(), 41)
        .table("sales", sales -> sales.insert("price", ColumnValues.of(new double[][] {{9.99}})))
        .build();
  }
}
