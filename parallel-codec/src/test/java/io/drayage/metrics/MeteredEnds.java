package io.drayage.metrics;

import io.drayage.cargo.ChangeCargo;
import io.drayage.codec.Compressors;
import io.drayage.codec.Serializers;
import io.drayage.codec.pool.CodecPool;
import io.drayage.frame.ShipmentException;
import io.drayage.receive.CargoReceiver;
import io.drayage.receive.MemoryCommitter;
import io.drayage.receive.ReceiverLimits;
import io.drayage.send.CargoSender;
import io.drayage.send.SegmentsSender;
import io.drayage.send.SendReport;
import io.drayage.transport.LoopbackTransport;
import io.drayage.transport.TransportClient;
import io.drayage.transport.TransportOptions;
import io.drayage.transport.TransportServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** A worker's and a transactor's end in one JVM, each with metrics of its own. */
public final class MeteredEnds implements AutoCloseable {
  static final int THREADS = 2;

  public final DrayageMetrics worker = new DrayageMetrics();
  public final DrayageMetrics transactor = new DrayageMetrics();
  private final LoopbackTransport transport = new LoopbackTransport();
  private final CodecPool pool = new CodecPool(THREADS, "encode");
  private final CargoReceiver receiver;
  private final TransportServer server;

  public MeteredEnds(MemoryCommitter committer) {
    ReceiverLimits limits = new ReceiverLimits(1 << 30, 1 << 30, 4);
    receiver = CargoReceiver.builder(committer, limits, THREADS).metrics(transactor).build();
    server =
        transport.listen(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            receiver,
            TransportOptions.DEFAULT,
            transactor);
  }

  SendReport sendSegments(ChangeCargo cargo, String compressor)
      throws ShipmentException, InterruptedException {
    try (CargoSender sender =
        new SegmentsSender(
            client(),
            pool,
            Serializers.ofName("raw"),
            Compressors.ofName(compressor),
            "worker",
            SegmentsSender.MIN_SEGMENT_BYTES,
            worker)) {
      return sender.send(cargo);
    }
  }

  /** A further client of the transactor. */
  public TransportClient client() {
    return transport.client(server.address(), TransportOptions.DEFAULT, worker);
  }

  @Override
  public void close() {
    server.close();
    receiver.close();
    pool.close();
  }
}
