package io.drayage.warmup;

import static io.drayage.internal.Texts.format;

import io.drayage.codec.Compressor;
import io.drayage.codec.Serializer;
import io.drayage.codec.Serializers;
import io.drayage.codec.pool.CodecPool;
import io.drayage.internal.DaemonThreads;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.receive.CargoReceiver;
import io.drayage.receive.ReceiverLimits;
import io.drayage.segment.SegmentPlanner;
import io.drayage.send.SegmentsSender;
import io.drayage.store.MemoryStore;
import io.drayage.store.StoreSnapshot;
import io.drayage.transport.Transport;
import io.drayage.transport.TransportOptions;
import io.drayage.transport.TransportServer;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Ships small cargoes from this process to itself over loopback. So the code that the first commit
 * needs is loaded and compiled before the node reports that it is ready.
 *
 * <p>The warm-up has its own port, pools, metrics and store in memory, and closes them. It affects
 * neither the node's database nor its counters. It is not secured: only this process knows the
 * port, and only made-up values can be committed there. Failures are logged, and the node starts
 * cold. Thread-safe.
 */
public final class NodeWarmup {
  private static final System.Logger LOG = System.getLogger(NodeWarmup.class.getName());

  /** Default limit of the time. */
  public static final Duration DEFAULT_LIMIT = Duration.ofMillis(500);

  /** Upper bound of the limit. */
  public static final Duration MAX_LIMIT = Duration.ofMinutes(1);

  /** Time for the last cargo and for closing. The node waits no longer. */
  private static final Duration GRACE = Duration.ofSeconds(10);

  /** Interval of cargoes with segments of the usual size. */
  private static final int USUAL_EVERY = 4;

  private final Transport transport;
  private final Serializer serializer;
  private final Compressor compressor;
  private final int threads;
  private final Duration limit;
  private final Thread thread;
  private volatile int cargoes;

  private NodeWarmup(
      Transport transport,
      Serializer serializer,
      Compressor compressor,
      int threads,
      Duration limit) {
    this.transport = transport;
    this.serializer = serializer;
    this.compressor = compressor;
    this.threads = threads;
    this.limit = limit;
    this.thread = new DaemonThreads("drayage-warm-up").newThread(this::run);
  }

  /**
   * Begins to warm up on its own thread, while the node starts.
   *
   * @param threads number of codec threads of each end
   * @param limit time limit, which one cargo may exceed; zero for no warm-up
   * @throws IllegalArgumentException if {@code limit} is negative or above {@link #MAX_LIMIT}
   */
  public static NodeWarmup begin(
      Transport transport,
      Serializer serializer,
      Compressor compressor,
      int threads,
      Duration limit) {
    if (limit.isNegative() || limit.compareTo(MAX_LIMIT) > 0) {
      throw new IllegalArgumentException(
          format(
              "the limit of a warm-up is 0 to %d s, not %s s",
              MAX_LIMIT.toSeconds(), limit.toMillis() / 1e3));
    }
    NodeWarmup begun = new NodeWarmup(transport, serializer, compressor, threads, limit);
    if (!limit.isZero()) {
      begun.thread.start();
    }
    return begun;
  }

  /**
   * Waits until the warm-up is over and everything is closed.
   *
   * @return the number of shipped cargoes
   */
  public int await() throws InterruptedException {
    thread.join(limit.plus(GRACE).toMillis());
    thread.interrupt();
    return cargoes;
  }

  private void run() {
    long beganNs = System.nanoTime();
    try {
      ship(beganNs + limit.toNanos());
    } catch (IOException | RuntimeException | LinkageError e) {
      LOG.log(Level.WARNING, "not warmed up: {0}", e.toString());
    } catch (InterruptedException e) {
      // It took too long, and the node has gone on.
    }
    long tookMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beganNs);
    LOG.log(Level.DEBUG, "warmed up by {0} cargoes in {1} ms", cargoes, tookMs);
  }

  private void ship(long endNs) throws IOException, InterruptedException {
    DrayageMetrics metrics = new DrayageMetrics();
    MemoryStore store = WarmUpCargo.store();
    StoreSnapshot base = store.snapshot();
    WarmUpCargo cargo = WarmUpCargo.make();
    ReceiverLimits limits =
        new ReceiverLimits(WarmUpCargo.MAX_BYTES, 2 * WarmUpCargo.MAX_BYTES, 2)
            .allowing(Serializers.ofId(serializer.id()));
    InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    try (CargoReceiver receiver =
            CargoReceiver.builder(store, limits, threads).metrics(metrics).build();
        TransportServer server =
            transport.listen(anyPort, receiver, TransportOptions.DEFAULT, metrics);
        CodecPool pool = new CodecPool(threads, "warm-up");
        SegmentsSender small = sender(server, pool, SegmentsSender.MIN_SEGMENT_BYTES, metrics);
        SegmentsSender usual =
            sender(server, pool, SegmentPlanner.DEFAULT_SEGMENT_BYTES, metrics)) {
      int shipped = 0;
      do {
        (shipped % USUAL_EVERY == 0 ? usual : small).send(cargo.next());
        store.reset(base);
        shipped++;
        cargoes = shipped;
      } while (System.nanoTime() < endNs);
    }
  }

  private SegmentsSender sender(
      TransportServer server, CodecPool pool, int segmentBytes, DrayageMetrics metrics) {
    return new SegmentsSender(
        transport.client(server.address(), TransportOptions.DEFAULT, metrics),
        pool,
        serializer,
        compressor,
        "warm-up",
        segmentBytes,
        metrics);
  }
}
