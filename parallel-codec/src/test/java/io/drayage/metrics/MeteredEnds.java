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
import io.drayage.transport.Transport;
import io.drayage.transport.TransportClient;
import io.drayage.transport.TransportOptions;
import io.drayage.transport.TransportServer;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/** A worker's and a transactor's end in one JVM, each with metrics of its own. */
public final class MeteredEnds implements AutoCloseable {
  static final int THREADS = 2;

  public final DrayageMetrics worker = new DrayageMetrics();
  public final DrayageMetrics transactor = new DrayageMetrics();
  private final Transport transport;
  private final TransportOptions options;
  private final CodecPool pool = new CodecPool(THREADS, "encode");
  private final CargoReceiver receiver;
  private final TransportServer server;
  private final List<CargoSender> senders = new ArrayList<>();

  public MeteredEnds(MemoryCommitter committer) {
    this(new LoopbackTransport(), TransportOptions.DEFAULT, committer);
  }

  public MeteredEnds(Transport transport, TransportOptions options, MemoryCommitter committer) {
    this.transport = transport;
    this.options = options;
    ReceiverLimits limits = new ReceiverLimits(1 << 30, 1 << 30, 4);
    receiver = CargoReceiver.builder(committer, limits, THREADS).metrics(transactor).build();
    InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    try {
      server = transport.listen(anyPort, receiver, options, transactor);
    } catch (BindException e) {
      throw new AssertionError("any port of the loopback interface can be bound", e);
    }
  }

  /** Ships in the smallest segments, serialized by {@code raw}. */
  public SendReport sendSegments(ChangeCargo cargo, String compressor)
      throws ShipmentException, InterruptedException {
    CargoSender sender =
        new SegmentsSender(
            client(),
            pool,
            Serializers.ofName("raw"),
            Compressors.ofName(compressor),
            "worker",
            SegmentsSender.MIN_SEGMENT_BYTES,
            worker);
    senders.add(sender);
    return sender.send(cargo);
  }

  /** A further client of the transactor. */
  public TransportClient client() {
    return transport.client(server.address(), options, worker);
  }

  @Override
  public void close() {
    senders.forEach(CargoSender::close);
    server.close();
    receiver.close();
    pool.close();
  }
}
