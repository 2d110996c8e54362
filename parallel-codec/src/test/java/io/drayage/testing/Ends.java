package io.drayage.testing;

import io.drayage.codec.Compressor;
import io.drayage.codec.Compressors;
import io.drayage.codec.Serializer;
import io.drayage.codec.Serializers;
import io.drayage.codec.pool.CodecPool;
import io.drayage.receive.CargoReceiver;
import io.drayage.receive.MemoryCommitter;
import io.drayage.receive.ReceiverLimits;
import io.drayage.send.SegmentsSender;
import io.drayage.transport.ShipmentAcceptor;
import io.drayage.transport.Transport;
import io.drayage.transport.TransportClient;
import io.drayage.transport.TransportOptions;
import io.drayage.transport.TransportServer;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Deque;

/** A transactor's and a worker's end in one JVM. Closes its resources, the last one first. */
public final class Ends implements AutoCloseable {
  private static final ReceiverLimits LIMITS = new ReceiverLimits(512 << 20, 512 << 20, 8);
  private static final int THREADS = 2;

  private final Deque<AutoCloseable> opened = new ArrayDeque<>();
  private final Transport transport;
  private final TransportOptions options;
  private TransportServer server;

  public Ends(Transport transport, TransportOptions options) {
    this.transport = transport;
    this.options = options;
  }

  /** Closes {@code resource} before the resources that were opened earlier. */
  public <T extends AutoCloseable> T opened(T resource) {
    opened.push(resource);
    return resource;
  }

  /** Receives with 2 threads, and up to 512 MiB. */
  public CargoReceiver receive(MemoryCommitter committer) {
    return receive(new CargoReceiver(committer, LIMITS, THREADS));
  }

  /** Listens with a receiver, and closes it at the end. */
  public CargoReceiver receive(CargoReceiver receiver) {
    opened(receiver);
    listen(receiver);
    return receiver;
  }

  /** Listens for the clients and senders that are made from now on. */
  public TransportServer listen(ShipmentAcceptor acceptor) {
    InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    try {
      server = opened(transport.listen(anyPort, acceptor, options));
    } catch (BindException e) {
      throw new AssertionError("any port of the loopback interface can be bound", e);
    }
    return server;
  }

  public TransportServer server() {
    return server;
  }

  /** A client; its sender closes it. */
  public TransportClient client() {
    return transport.client(server.address(), options);
  }

  /** A sender of {@code raw} without a compressor, with 2 threads. */
  public SegmentsSender sender() {
    return sender("raw", "none");
  }

  public SegmentsSender sender(String serializer, String compressor) {
    return sender(Serializers.ofName(serializer), Compressors.ofName(compressor));
  }

  public SegmentsSender sender(Serializer serializer, Compressor compressor) {
    return opened(
        new SegmentsSender(
            client(), opened(new CodecPool(THREADS, "encode")), serializer, compressor, "worker"));
  }

  @Override
  public void close() {
    while (!opened.isEmpty()) {
      try {
        opened.pop().close();
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    }
  }
}
