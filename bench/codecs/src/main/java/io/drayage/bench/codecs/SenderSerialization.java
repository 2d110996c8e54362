package io.drayage.bench.codecs;

import io.drayage.cargo.CargoSize;
import io.drayage.cargo.ChangeCargo;
import io.drayage.codec.pool.CodecPool;
import io.drayage.frame.Fault;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.FrameType;
import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.memory.Lease;
import io.drayage.metrics.Figures;
import io.drayage.metrics.Metric;
import io.drayage.send.SegmentsSender;
import io.drayage.send.SendReport;
import io.drayage.transport.Shipment;
import io.drayage.transport.TransportClient;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.util.concurrent.CompletableFuture;

/**
 * Ships a cargo through a sender and its codec threads, like a worker, but without a wire: every
 * frame is dropped as soon as it is made. The calling thread plans, and waits for the others.
 */
final class SenderSerialization extends Work {
  private static final String NAME = "codec";

  private final ChangeCargo cargo;
  private final Combination combination;
  private final CodecPool pool;
  private final SegmentsSender sender;

  SenderSerialization(ChangeCargo cargo, Combination combination, int threads) {
    super(CargoSize.rawBytes(cargo));
    this.cargo = cargo;
    this.combination = combination;
    this.pool = new CodecPool(threads, NAME);
    this.sender = sender(frame -> {});
  }

  private SegmentsSender sender(Wire wire) {
    return new SegmentsSender(
        new DroppingClient(wire),
        pool,
        combination.newSerializer(),
        combination.newCompressor(),
        NAME);
  }

  @Override
  public SendReport run() throws ShipmentException, InterruptedException {
    Figures before = sender.metrics().snapshot().encode();
    SendReport report = sender.send(cargo);
    Figures done = sender.metrics().snapshot().encode().minus(before);
    encoded(done.get(Metric.WIRE_BYTES), Math.toIntExact(done.get(Metric.SEGMENTS)));
    return report;
  }

  /** Ships the cargo once more in the same way, keeps the frames, and reads them. */
  @Override
  public void verify(long digest) throws IOException, InterruptedException {
    ChunkedBytes frames = new ChunkedBytes(Integer.MAX_VALUE);
    WritableByteChannel kept = Channels.newChannel(frames);
    try (SegmentsSender verifying =
        sender(
            frame -> {
              synchronized (frames) {
                kept.write(frame.duplicate());
              }
            })) {
      verifying.send(cargo);
    }
    requireDigest(digest, combination.newFrames().read(frames.newInputStream(), Long.MAX_VALUE));
  }

  @Override
  public void close() {
    sender.close();
    pool.close();
  }

  /** Receives every frame, from position to limit, before it is dropped. Thread-safe. */
  private interface Wire {
    void write(ByteBuffer frame) throws IOException;
  }

  private record DroppingClient(Wire wire) implements TransportClient {
    @Override
    public Shipment open(ShipmentHeader header) {
      return new DroppingShipment(wire, new CompletableFuture<>(), new CompletableFuture<>());
    }

    @Override
    public void close() {}
  }

  /** Accepts every frame at once, so that only the worker needs time. Answers the seal at once. */
  private record DroppingShipment(
      Wire wire, CompletableFuture<Seal> held, CompletableFuture<Long> committed)
      implements Shipment {
    @Override
    public long id() {
      return 1;
    }

    @Override
    public boolean offer(Lease frame) throws ShipmentException {
      ByteBuffer bytes = frame.buffer();
      try {
        wire.write(bytes);
      } catch (IOException e) {
        throw ShipmentException.of(e);
      }
      if (FrameHeader.type(bytes) == FrameType.SEAL) {
        held.complete(Seal.ofPayload(FrameHeader.verify(bytes)));
        committed.complete(id());
      }
      frame.close();
      return true;
    }

    @Override
    public void awaitReady() {}

    @Override
    public void whenReady(Runnable action) {
      action.run();
    }

    @Override
    public void cancel(ShipmentException cause) {
      held.completeExceptionally(cause);
      committed.completeExceptionally(cause);
    }

    @Override
    public void close() {
      cancel(new ShipmentException(Fault.CANCELLED, "the worker closed its shipment"));
    }
  }
}
