package io.drayage.baseline.stream;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.Names;
import io.drayage.codec.Compressor;
import io.drayage.codec.Serializer;
import io.drayage.frame.Fault;
import io.drayage.frame.FrameType;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.internal.Waits;
import io.drayage.memory.Lease;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.metrics.Metric;
import io.drayage.metrics.Stage;
import io.drayage.metrics.StageThreads;
import io.drayage.send.CargoSender;
import io.drayage.send.SendDeadline;
import io.drayage.send.SendOptions;
import io.drayage.send.SendReport;
import io.drayage.send.ShipmentTimer;
import io.drayage.transport.Shipment;
import io.drayage.transport.TransportClient;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Ships a cargo as published: first a request and its acknowledgement. Then one thread serializes
 * and compresses into chunks of 63 kB on a transfer queue. A second thread, here the caller's,
 * passes the chunks from the queue to the transport. Thread-safe; every call has its own threads
 * and queue.
 *
 * <pre>
 *   worker       serializer -> compressor -> ChunkOutputStream -> TransferQueue -> Shipment
 *   transactor   ShipmentHandler -> ReceiveQueue -> ChunkInputStream -> decompressor -> deserializer
 * </pre>
 *
 * <p>The study leaves some points open. They are decided as follows:
 *
 * <ul>
 *   <li>The queue is an {@code ArrayBlockingQueue} of 1,024 chunks, 64.5 MB.
 *   <li>The sending thread waits while the transport is not ready (over gRPC: while the call is not
 *       {@code isReady}). The serializing thread waits while the queue is full. So memory does not
 *       grow with the cargo.
 *   <li>Every chunk has a CRC-32C. The serializing thread computes it, and the deserializing thread
 *       checks it. A seal ends the cargo, so that "verified" means the same in every pipeline. See
 *       {@code docs/decisions/baseline.md} for the cost.
 * </ul>
 */
public final class StreamSender implements CargoSender {
  private final TransportClient client;
  private final Serializer serializer;
  private final Compressor compressor;
  private final String worker;
  private final StreamOptions options;
  private final DrayageMetrics metrics;

  /** Creates a sender of chunks as published, {@link StreamOptions#PUBLISHED}. */
  public StreamSender(
      TransportClient client, Serializer serializer, Compressor compressor, String worker) {
    this(client, serializer, compressor, worker, StreamOptions.PUBLISHED, new DrayageMetrics());
  }

  /**
   * @param client closed together with this sender
   * @param worker names this sender in messages
   * @param options the differences from the published pipeline
   * @param metrics counts the work of this sender
   * @throws IllegalArgumentException if the name cannot be shipped
   */
  public StreamSender(
      TransportClient client,
      Serializer serializer,
      Compressor compressor,
      String worker,
      StreamOptions options,
      DrayageMetrics metrics) {
    Names.check("worker", worker, ShipmentHeader.MAX_WORKER_CHARS);
    this.client = client;
    this.serializer = serializer;
    this.compressor = compressor;
    this.worker = worker;
    this.options = options;
    this.metrics = metrics;
    metrics.encode().set(Metric.THREADS, 1);
  }

  @Override
  public SendReport send(ChangeCargo cargo, SendOptions wanted)
      throws ShipmentException, InterruptedException {
    if (!cargo.newTables().isEmpty() || !cargo.droppedTables().isEmpty()) {
      throw new ShipmentException(
          Fault.REFUSED,
          "the stream pipeline cannot ship a cargo that adds or drops tables, such as '%s': use segments"
              .formatted(
                  cargo.newTables().isEmpty()
                      ? cargo.droppedTables().get(0)
                      : cargo.newTables().get(0).name()));
    }
    ShipmentTimer timer = new ShipmentTimer(metrics);
    ShipmentHeader header =
        new ShipmentHeader(
            cargo.transactionId(),
            cargo.baseSnapshot(),
            ShipmentHeader.Pipeline.STREAM,
            serializer.id(),
            compressor.id(),
            wanted.commit(),
            worker);
    try (SendDeadline deadline = new SendDeadline(wanted);
        Shipment shipment = client.open(timer.traced(header), 0, deadline.patience())) {
      deadline.watch(shipment);
      timer.markAccepted();
      return send(cargo, shipment, timer);
    } catch (ShipmentException e) {
      throw timer.failed(e);
    } catch (InterruptedException e) {
      throw timer.interrupted(e);
    }
  }

  private SendReport send(ChangeCargo cargo, Shipment shipment, ShipmentTimer timer)
      throws ShipmentException, InterruptedException {
    TransferQueue queue = new TransferQueue(options);
    ChunkOutputStream chunks =
        new ChunkOutputStream(options.chunkBytes(), shipment.id(), queue, metrics.encode());
    Serialization serialization = new Serialization(cargo, chunks, queue, timer, shipment.id());
    serialization.thread.start();
    // The sending thread may be waiting for a chunk when the shipment fails.
    CompletableFuture<Long> unusedOutcome =
        shipment
            .committed()
            .whenComplete(
                (timestamp, failure) -> {
                  if (failure != null) {
                    queue.abandon();
                  }
                });
    try {
      StageThreads.Period sending = metrics.threads().begin(Stage.SEND);
      drain(queue, shipment);
      sending.end();
      serialization.requireSuccess();
    } catch (ShipmentException e) {
      shipment.cancel(e);
      throw e;
    } finally {
      serialization.stop();
    }
    ByteBuffer seal = chunks.seal().toFrame(FrameType.SEAL, shipment.id());
    long wireBytes = chunks.frameBytes() + seal.remaining();
    shipment.send(new Lease(seal, timer::markDrained), metrics.outbound());
    timer.markSealed();
    return timer.awaitCommit(shipment, chunks.seal(), wireBytes);
  }

  private void drain(TransferQueue queue, Shipment shipment)
      throws ShipmentException, InterruptedException {
    Lease chunk = queue.take();
    while (chunk != null) {
      shipment.send(chunk, metrics.outbound());
      chunk = queue.take();
    }
  }

  @Override
  public DrayageMetrics metrics() {
    return metrics;
  }

  @Override
  public void close() {
    client.close();
  }

  /** The one thread that serializes and compresses a cargo into chunks. */
  private final class Serialization {
    private final ChangeCargo cargo;
    private final ChunkOutputStream chunks;
    private final TransferQueue queue;
    private final ShipmentTimer timer;
    private final Thread thread;

    private volatile @Nullable Throwable failure;

    Serialization(
        ChangeCargo cargo,
        ChunkOutputStream chunks,
        TransferQueue queue,
        ShipmentTimer timer,
        long shipmentId) {
      this.cargo = cargo;
      this.chunks = chunks;
      this.queue = queue;
      this.timer = timer;
      this.thread = new Thread(this::run, "drayage-serialize-" + shipmentId);
      thread.setDaemon(true);
    }

    private void run() {
      StageThreads.Period serializing = metrics.threads().begin(Stage.ENCODE);
      try {
        serialize();
      } catch (Throwable e) { // For any error, the sending thread waits.
        if (!queue.isAbandoned()) {
          failure = e;
        }
        queue.abandon();
      } finally {
        serializing.end();
      }
    }

    private void serialize() throws IOException {
      try (OutputStream out = CompressorStreams.compressing(compressor, chunks)) {
        StreamSerializer.write(
            serializer, cargo, options.flushes() ? out : new UnflushedOutputStream(out));
      }
      timer.markSerialized();
      chunks.finish();
    }

    /**
     * Throws the error of the serialization, if any. To be called after the end of the queue.
     *
     * @throws ShipmentException {@code INTERNAL} if the cargo could not be serialized
     */
    void requireSuccess() throws ShipmentException {
      if (failure != null) {
        throw new ShipmentException(
            Fault.INTERNAL,
            "the cargo cannot be serialized with %s and %s: %s"
                .formatted(serializer.name(), compressor.name(), failure),
            failure);
      }
    }

    /**
     * Ends the thread, whose next chunk is refused, and waits for it. Has no effect if it has
     * ended. Cannot be interrupted: afterwards the cargo's arrays belong to the caller again.
     */
    void stop() {
      queue.abandon();
      Waits.uninterrupted(thread::join);
    }
  }
}
