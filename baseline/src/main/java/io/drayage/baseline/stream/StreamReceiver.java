package io.drayage.baseline.stream;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.ChangeCargo;
import io.drayage.frame.Fault;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.FrameType;
import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentException;
import io.drayage.memory.Lease;
import io.drayage.metrics.Stage;
import io.drayage.metrics.StageThreads;
import io.drayage.receive.Reception;
import io.drayage.transport.ShipmentHandler;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * The other end of a {@link StreamSender}: a queue of frames, and one thread that decompresses and
 * deserializes them. The thread starts with the first frame and ends with the shipment.
 *
 * <p>The bytes of a peer can harm its own shipment only. Each error is answered with a named fault,
 * and every lease is released.
 */
final class StreamReceiver implements ShipmentHandler {
  private final Reception reception;
  private final StreamOptions options;
  private final ReceiveQueue queue = new ReceiveQueue();

  /** This field and the next: used only by the thread that calls the handler. */
  private boolean started;

  private boolean sealed;

  /**
   * @param options the differences from the published pipeline
   */
  StreamReceiver(Reception reception, StreamOptions options) {
    this.reception = reception;
    this.options = options;
  }

  @Override
  public void onFrame(Lease frame) {
    FrameType type = FrameHeader.type(frame.buffer());
    if (sealed) {
      frame.close();
      fail(
          new ShipmentException(
              Fault.PROTOCOL_VIOLATION,
              "a %s frame came after the seal of the stream".formatted(type)));
      return;
    }
    sealed = type == FrameType.SEAL;
    queue.add(frame);
    if (!started) {
      started = true;
      Thread thread =
          new Thread(this::run, "drayage-deserialize-" + reception.outcome().shipmentId());
      thread.setDaemon(true);
      thread.start();
    }
  }

  private void fail(ShipmentException cause) {
    if (!queue.isAborted()) {
      queue.abort(cause);
      reception.outcome().failed(cause);
    }
  }

  @Override
  public boolean onAborted(ShipmentException cause) {
    queue.abort(cause);
    return true; // The owner of the cargo knows the outcome.
  }

  private void run() {
    ChunkInputStream chunks =
        new ChunkInputStream(queue, reception.metrics().decode(), reception.outcome()::decoded);
    try {
      StageThreads.Period deserializing = reception.metrics().threads().begin(Stage.DECODE);
      ChangeCargo cargo = read(chunks);
      Seal seal = chunks.requireSealed();
      deserializing.end();
      requireAnnounced(cargo);
      if (!queue.isAborted()) {
        reception.outcome().received(cargo, seal);
      }
    } catch (ShipmentException | RuntimeException | Error e) {
      // For any error, the worker waits for an answer.
      if (!queue.isAborted()) {
        reception.outcome().failed(ShipmentException.of(e));
      }
    } finally {
      chunks.release();
      queue.close();
    }
  }

  private ChangeCargo read(ChunkInputStream chunks) throws ShipmentException {
    MemoryAccount memory = new MemoryAccount(reception.maxCargoBytes(), reception.memory());
    try (InputStream in =
        buffered(
            new AccountedInputStream(
                CompressorStreams.decompressing(reception.compressor(), chunks, reception.memory()),
                memory))) {
      ChangeCargo cargo = StreamSerializer.read(reception.serializer(), in, memory);
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
                .formatted(reception.serializer().name(), reception.compressor().name(), e),
            e);
  }

  private void requireAnnounced(ChangeCargo cargo) throws ShipmentException {
    if (!cargo.transactionId().equals(reception.header().transactionId())
        || cargo.baseSnapshot() != reception.header().baseSnapshot()) {
      throw new ShipmentException(
          Fault.PROTOCOL_VIOLATION,
          format(
              "received a cargo of transaction %s on snapshot %d, announced was %s on %d",
              cargo.transactionId(),
              cargo.baseSnapshot(),
              reception.header().transactionId(),
              reception.header().baseSnapshot()));
    }
  }
}
