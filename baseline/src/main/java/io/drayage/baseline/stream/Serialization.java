package io.drayage.baseline.stream;

import io.drayage.cargo.ChangeCargo;
import io.drayage.codec.Compressor;
import io.drayage.codec.Serializer;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.metrics.Stage;
import io.drayage.metrics.StageThreads;
import io.drayage.send.ShipmentTimer;
import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/** The one thread that serializes and compresses a cargo into chunks. */
final class Serialization {
  private final ChangeCargo cargo;
  private final Serializer serializer;
  private final Compressor compressor;
  private final StreamOptions options;
  private final ChunkOutputStream chunks;
  private final TransferQueue queue;
  private final ShipmentTimer timer;
  private final StageThreads threads;
  private final Thread thread;

  private volatile @Nullable Throwable failure;

  Serialization(
      ChangeCargo cargo,
      Serializer serializer,
      Compressor compressor,
      StreamOptions options,
      ChunkOutputStream chunks,
      TransferQueue queue,
      ShipmentTimer timer,
      StageThreads threads,
      long shipmentId) {
    this.cargo = cargo;
    this.serializer = serializer;
    this.compressor = compressor;
    this.options = options;
    this.chunks = chunks;
    this.queue = queue;
    this.timer = timer;
    this.threads = threads;
    this.thread = new Thread(this::run, "drayage-serialize-" + shipmentId);
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  private void run() {
    StageThreads.Period serializing = threads.begin(Stage.ENCODE);
    try {
      serialize();
    } catch (Throwable e) { // Whatever it was, the sending thread is waiting.
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
   * To be asked when the end of the queue was reached.
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
   * Ends the thread and waits for it: its next chunk is refused. Without effect if it has ended.
   * Not to be interrupted, so that the cargo's arrays are the caller's again afterwards.
   */
  void stop() {
    queue.abandon();
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
