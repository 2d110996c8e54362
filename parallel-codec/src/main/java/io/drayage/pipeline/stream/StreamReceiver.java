package io.drayage.pipeline.stream;

import io.drayage.cargo.ChangeCargo;
import io.drayage.compressor.Compressor;
import io.drayage.compressor.MemoryCharge;
import io.drayage.frame.Fault;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.FrameType;
import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.memory.Lease;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.metrics.Stage;
import io.drayage.metrics.StageThreads;
import io.drayage.serializer.Serializer;
import io.drayage.transport.ShipmentHandler;
import io.drayage.transport.ShipmentReplies;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.BiConsumer;

/**
 * The other end of a {@link StreamSender}: a queue of frames, and one thread that decompresses and
 * deserializes them, which starts with the first frame and ends with the shipment.
 *
 * <p>Whatever a peer sends costs its shipment only: each error is answered with a named fault, and
 * every lease is given back.
 */
public final class StreamReceiver implements ShipmentHandler {
  private final ShipmentHeader header;
  private final Serializer serializer;
  private final Compressor compressor;
  private final long maxCargoBytes;
  private final StreamOptions options;
  private final MemoryCharge memory;
  private final ShipmentReplies replies;
  private final DrayageMetrics metrics;
  private final BiConsumer<ChangeCargo, ShipmentReplies> whenHeld;
  private final ReceiveQueue queue = new ReceiveQueue();

  /** These two: only for the thread that calls the handler. */
  private boolean started;

  private boolean sealed;

  /**
   * @param header what the worker announced
   * @param maxCargoBytes how much memory the cargo may take
   * @param options in what this differs from the published pipeline
   * @param memory is charged with what the decompressor takes, until the shipment is over
   * @param replies where the cargo is answered for: held, or failed
   * @param metrics counts the chunks
   * @param whenHeld gets a cargo that is whole and verified, on the deserializing thread, after the
   *     worker was told; must not block for long
   */
  public StreamReceiver(
      ShipmentHeader header,
      Serializer serializer,
      Compressor compressor,
      long maxCargoBytes,
      StreamOptions options,
      MemoryCharge memory,
      ShipmentReplies replies,
      DrayageMetrics metrics,
      BiConsumer<ChangeCargo, ShipmentReplies> whenHeld) {
    this.header = header;
    this.serializer = serializer;
    this.compressor = compressor;
    this.maxCargoBytes = maxCargoBytes;
    this.options = options;
    this.memory = memory;
    this.replies = replies;
    this.metrics = metrics;
    this.whenHeld = whenHeld;
  }

  @Override
  public void onFrame(Lease frame) {
    if (sealed) {
      frame.close();
      return;
    }
    sealed = FrameHeader.type(frame.buffer()) == FrameType.SEAL;
    queue.add(frame);
    if (!started) {
      started = true;
      Thread thread = new Thread(this::run, "drayage-deserialize-" + replies.shipmentId());
      thread.setDaemon(true);
      thread.start();
    }
  }

  @Override
  public void onAborted(ShipmentException cause) {
    queue.abort(cause);
  }

  private void run() {
    ChunkInputStream chunks = new ChunkInputStream(queue, metrics.decode());
    try {
      StageThreads.Period deserializing = metrics.threads().begin(Stage.DECODE);
      ChangeCargo cargo = read(chunks);
      Seal seal = chunks.requireSealed();
      deserializing.end();
      requireAnnounced(cargo);
      if (!queue.isAborted()) {
        replies.held(seal);
        whenHeld.accept(cargo, replies);
      }
    } catch (ShipmentException | RuntimeException | Error e) {
      // Whatever it was: the worker waits for an answer.
      if (!queue.isAborted()) {
        replies.failed(ShipmentException.of(e));
      }
    } finally {
      chunks.giveBack();
      queue.close();
    }
  }

  private ChangeCargo read(ChunkInputStream chunks) throws ShipmentException {
    try (InputStream in = buffered(compressor.decompressing(chunks, memory))) {
      ChangeCargo cargo = serializer.readCargo(in, maxCargoBytes);
      if (in.read() >= 0) {
        throw new IOException("there are bytes behind the cargo");
      }
      return cargo;
    } catch (IOException | RuntimeException | StackOverflowError | OutOfMemoryError e) {
      throw asShipmentException(e, chunks);
    }
  }

  private InputStream buffered(InputStream in) {
    int bytes = options.readBufferBytes();
    return bytes == 0 ? in : new BufferedInputStream(in, bytes);
  }

  private ShipmentException asShipmentException(Throwable e, ChunkInputStream chunks) {
    ShipmentException wire = chunks.failure();
    if (wire != null) {
      return wire;
    }
    return e instanceof ShipmentException named
        ? named
        : new ShipmentException(
            Fault.DECODE,
            "the cargo cannot be read with %s and %s: %s"
                .formatted(serializer.name(), compressor.name(), e),
            e);
  }

  private void requireAnnounced(ChangeCargo cargo) throws ShipmentException {
    if (!cargo.transactionId().equals(header.transactionId())
        || cargo.baseSnapshot() != header.baseSnapshot()) {
      throw new ShipmentException(
          Fault.FOREIGN,
          "a cargo of transaction %s on snapshot %d came, announced was %s on %d"
              .formatted(
                  cargo.transactionId(),
                  cargo.baseSnapshot(),
                  header.transactionId(),
                  header.baseSnapshot()));
    }
  }
}
