package io.drayage.pipeline.stream;

import io.drayage.cargo.ChangeCargo;
import io.drayage.compressor.Compressor;
import io.drayage.frame.CommitOptions;
import io.drayage.frame.Fault;
import io.drayage.frame.FrameType;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.memory.Lease;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.metrics.Stage;
import io.drayage.metrics.StageThreads;
import io.drayage.pipeline.CargoSender;
import io.drayage.pipeline.MeteredSending;
import io.drayage.pipeline.SendReport;
import io.drayage.pipeline.ShipmentTimer;
import io.drayage.serializer.Serializer;
import io.drayage.transport.Shipment;
import io.drayage.transport.TransportClient;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;

/**
 * Ships a cargo as it was published: a request and its acknowledgement; then one thread serializes
 * and compresses into chunks of 63 kB on a transfer queue, while a second, here the caller's, takes
 * them from the queue and gives them to the transport. Thread-safe; every call has threads and a
 * queue of its own.
 *
 * <p>What the study leaves open, and what is done here:
 *
 * <ul>
 *   <li>the queue is an {@code ArrayBlockingQueue} of 1,024 chunks, 64.5 MB;
 *   <li>a transport that has no room makes the sending thread wait (over gRPC: while the call is
 *       not {@code isReady}), and a full queue the serializing one: memory does not grow with the
 *       cargo;
 *   <li>every chunk has a CRC-32C, computed by the serializing thread and checked by the
 *       deserializing one, and a seal ends the cargo, so that "verified" means the same in every
 *       pipeline. What that costs stands in {@code docs/decisions/0002-baseline-choices.md}.
 * </ul>
 */
public final class StreamSender implements CargoSender {
  /** Payload bytes of a chunk as published: 63 kB. */
  public static final int PUBLISHED_CHUNK_BYTES = 63_000;

  /** The smallest chunk that may be asked for, in payload bytes. */
  public static final int MIN_CHUNK_BYTES = 1_000;

  /** The largest chunk that may be asked for, in payload bytes. */
  public static final int MAX_CHUNK_BYTES = 4 << 20;

  private final TransportClient client;
  private final Serializer serializer;
  private final Compressor compressor;
  private final String worker;
  private final int chunkBytes;
  private final DrayageMetrics metrics;

  /** A sender of chunks as published, {@link #PUBLISHED_CHUNK_BYTES}. */
  public StreamSender(
      TransportClient client, Serializer serializer, Compressor compressor, String worker) {
    this(client, serializer, compressor, worker, PUBLISHED_CHUNK_BYTES);
  }

  /**
   * @param client closed together with this sender
   * @param worker names this sender in messages
   * @param chunkBytes payload bytes of every chunk but the last
   * @throws IllegalArgumentException if that is outside {@link #MIN_CHUNK_BYTES} to {@link
   *     #MAX_CHUNK_BYTES}
   */
  public StreamSender(
      TransportClient client,
      Serializer serializer,
      Compressor compressor,
      String worker,
      int chunkBytes) {
    this(client, serializer, compressor, worker, chunkBytes, new DrayageMetrics());
  }

  /** The same, counting in {@code metrics}. */
  public StreamSender(
      TransportClient client,
      Serializer serializer,
      Compressor compressor,
      String worker,
      int chunkBytes,
      DrayageMetrics metrics) {
    if (chunkBytes < MIN_CHUNK_BYTES || chunkBytes > MAX_CHUNK_BYTES) {
      throw new IllegalArgumentException(
          "chunks of %,d bytes are outside %,d to %,d"
              .formatted(chunkBytes, MIN_CHUNK_BYTES, MAX_CHUNK_BYTES));
    }
    this.client = client;
    this.serializer = serializer;
    this.compressor = compressor;
    this.worker = worker;
    this.chunkBytes = chunkBytes;
    this.metrics = metrics;
    metrics.encode().setThreads(1);
  }

  @Override
  public SendReport send(ChangeCargo cargo, CommitOptions options)
      throws ShipmentException, InterruptedException {
    ShipmentTimer timer = new ShipmentTimer(metrics.shipments());
    ShipmentHeader header =
        new ShipmentHeader(
            cargo.transactionId(),
            cargo.baseSnapshot(),
            ShipmentHeader.Pipeline.STREAM,
            serializer.id(),
            compressor.id(),
            options,
            worker);
    try (Shipment shipment = client.open(header)) {
      timer.markAccepted();
      return send(cargo, shipment, timer);
    } catch (ShipmentException e) {
      metrics.shipments().addFailed(e.fault());
      throw e;
    } catch (InterruptedException e) {
      metrics.shipments().addFailed(Fault.CANCELLED);
      throw e;
    }
  }

  private SendReport send(ChangeCargo cargo, Shipment shipment, ShipmentTimer timer)
      throws ShipmentException, InterruptedException {
    TransferQueue queue = new TransferQueue(chunkBytes);
    ChunkOutputStream chunks =
        new ChunkOutputStream(chunkBytes, shipment.id(), queue, metrics.encode());
    Serialization serialization =
        new Serialization(
            cargo, serializer, compressor, chunks, queue, timer, metrics.threads(), shipment.id());
    serialization.start();
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
    MeteredSending.send(shipment, new Lease(seal, timer::markDrained), metrics.outbound());
    return timer.awaitCommit(shipment, chunks.seal(), wireBytes);
  }

  private void drain(TransferQueue queue, Shipment shipment)
      throws ShipmentException, InterruptedException {
    Lease chunk = queue.take();
    while (chunk != null) {
      MeteredSending.send(shipment, chunk, metrics.outbound());
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
}
