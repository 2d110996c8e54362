package io.drayage.bench.peers.arrow;

import io.drayage.bench.peer.PeerReport;
import io.drayage.bench.peer.PeerSender;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.TableChanges;
import io.drayage.metrics.DrayageMetrics;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.compression.CompressionCodec;
import org.jspecify.annotations.Nullable;

/** Puts the parts of a cargo, the rows of each divided among concurrent puts. */
final class ArrowSender implements PeerSender {
  private final ArrowSettings settings;
  private final @Nullable CompressionCodec compression;
  private final DrayageMetrics metrics;
  private final BufferAllocator allocator = new RootAllocator();
  private final List<FlightConnection> connections = new ArrayList<>();
  private final ExecutorService threads;
  private final KeptVectors kept = new KeptVectors();

  /** The second half of the ids of this sender's shipments; the first half is a counter. */
  private final long id = UUID.randomUUID().getLeastSignificantBits();

  private final AtomicLong shipments = new AtomicLong();

  /**
   * @param compression of the record batches; null for none
   */
  ArrowSender(
      ArrowSettings settings,
      @Nullable CompressionCodec compression,
      InetSocketAddress transactor,
      DrayageMetrics metrics) {
    this.settings = settings;
    this.compression = compression;
    this.metrics = metrics;
    for (int i = 0; i < settings.connections(); i++) {
      connections.add(new FlightConnection(settings, transactor, allocator));
    }
    this.threads =
        Executors.newFixedThreadPool(
            settings.puts(),
            task -> {
              Thread thread = new Thread(task, "peer-put");
              thread.setDaemon(true);
              return thread;
            });
  }

  @Override
  public PeerReport send(ChangeCargo cargo) throws IOException, InterruptedException {
    List<CargoPart> parts = CargoPart.of(cargo);
    if (parts.isEmpty()) {
      throw new IOException("a cargo without changes has no record batches");
    }
    kept.keepOnly(cargo);
    long bytesBefore = wireBytes();
    long messagesBefore = messages();
    UUID shipment = new UUID(shipments.incrementAndGet(), id);
    CompletableFuture<Long> number = new CompletableFuture<>();
    Collection<ArrowPut> unfinished = new ConcurrentLinkedQueue<>();
    List<Future<Long>> lanes = new ArrayList<>();
    for (int lane = 0; lane < settings.puts(); lane++) {
      int of = lane;
      lanes.add(threads.submit(() -> put(shipment, cargo, parts, of, number, unfinished)));
    }
    long serializedNs = 0;
    for (Future<Long> lane : lanes) {
      serializedNs = Math.max(serializedNs, await(lane));
    }
    for (ArrowPut put : unfinished) {
      put.await();
    }
    return new PeerReport(
        await(number), wireBytes() - bytesBefore, messages() - messagesBefore, serializedNs);
  }

  /** Puts this lane's rows of every part. Returns when the last batch was made, in nanoseconds. */
  private long put(
      UUID shipment,
      ChangeCargo cargo,
      List<CargoPart> parts,
      int lane,
      CompletableFuture<Long> number,
      Collection<ArrowPut> unfinished)
      throws IOException {
    FlightConnection connection = connections.get(lane % connections.size());
    List<String> tables = cargo.tables().stream().map(TableChanges::table).toList();
    for (int p = 0; p < parts.size(); p++) {
      CargoPart part = parts.get(p);
      long first = border(part, lane);
      long rows = border(part, lane + 1) - first;
      // The first lane puts an empty part, which must arrive too.
      if (rows > 0 || (part.rows() == 0 && lane == 0)) {
        PutHeader header =
            new PutHeader(
                shipment,
                cargo.transactionId(),
                cargo.baseSnapshot(),
                tables,
                parts.size(),
                p,
                part.table(),
                part.kind(),
                part.rows(),
                first,
                rows,
                part.bits());
        ArrowPut put = new ArrowPut(connection, header, part, settings, compression, metrics);
        unfinished.add(put);
        put.write(allocator, number, settings.keepsVectors() ? kept.of(p, lane) : null);
      }
    }
    return System.nanoTime();
  }

  /** Returns the first row of a lane, at whole words of validity. */
  private long border(CargoPart part, int lane) {
    long words = part.rows() / Long.SIZE;
    return lane == settings.puts() ? part.rows() : words * lane / settings.puts() * Long.SIZE;
  }

  private static <T> T await(Future<T> future) throws IOException, InterruptedException {
    try {
      return future.get();
    } catch (ExecutionException e) {
      throw new IOException("the put failed: " + e.getCause(), e);
    }
  }

  private long wireBytes() {
    return connections.stream().mapToLong(FlightConnection::wireBytes).sum();
  }

  private long messages() {
    return connections.stream().mapToLong(FlightConnection::messages).sum();
  }

  @Override
  public void close() {
    threads.shutdown();
    connections.forEach(FlightConnection::close);
    kept.keepOnly(null);
    allocator.close();
  }
}
