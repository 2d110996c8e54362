package io.drayage.snapshot;

import io.drayage.baseline.stream.StreamOptions;
import io.drayage.baseline.stream.StreamSender;
import io.drayage.cargo.ChangeCargo;
import io.drayage.codec.CodecPair;
import io.drayage.codec.pool.CodecPool;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.FrameType;
import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.memory.Lease;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.send.CargoSender;
import io.drayage.send.SegmentsSender;
import io.drayage.testing.CargoBytes;
import io.drayage.testing.WireFrames;
import io.drayage.transport.Shipment;
import io.drayage.transport.TransportClient;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The frames of a cargo as a sender ships them.
 *
 * @param frames the seal is the last one
 */
record ShippedFrames(ShipmentHeader header, List<ByteBuffer> frames) {
  /** Ships a cargo by a pipeline, with the smallest chunks or segments. */
  static ShippedFrames of(ShipmentHeader.Pipeline pipeline, CodecPair codecs, ChangeCargo cargo)
      throws ShipmentException, InterruptedException {
    Collector collector = new Collector();
    try (CodecPool pool = new CodecPool(1, "encode");
        CargoSender sender =
            pipeline == ShipmentHeader.Pipeline.STREAM
                ? new StreamSender(
                    collector,
                    codecs.serializer(),
                    codecs.compressor(),
                    "w",
                    StreamOptions.PUBLISHED.withChunkBytes(StreamOptions.MIN_CHUNK_BYTES),
                    new DrayageMetrics())
                : new SegmentsSender(
                    collector,
                    pool,
                    codecs.serializer(),
                    codecs.compressor(),
                    "w",
                    SegmentsSender.MIN_SEGMENT_BYTES,
                    new DrayageMetrics())) {
      sender.send(cargo);
    }
    return new ShippedFrames(collector.headers.get(0), collector.frames);
  }

  /** Collects every frame, and reports the commit after the seal. */
  private static final class Collector implements TransportClient, Shipment {
    private final List<ShipmentHeader> headers = new ArrayList<>();
    private final List<ByteBuffer> frames = new ArrayList<>();
    private final CompletableFuture<Seal> held = new CompletableFuture<>();

    @Override
    public Shipment open(ShipmentHeader header) {
      headers.add(header);
      return this;
    }

    @Override
    public long id() {
      return 0;
    }

    @Override
    public synchronized boolean offer(Lease frame) throws ShipmentException {
      ByteBuffer copy = CargoBytes.copy(frame.buffer());
      frames.add(copy);
      frame.close();
      if (FrameHeader.type(copy) == FrameType.SEAL) {
        held.complete(WireFrames.seal(copy));
      }
      return true;
    }

    @Override
    public void awaitReady() {}

    @Override
    public void whenReady(Runnable action) {
      action.run();
    }

    @Override
    public CompletableFuture<Seal> held() {
      return held;
    }

    @Override
    public CompletableFuture<Long> committed() {
      return held.thenApply(seal -> 1L);
    }

    @Override
    public void cancel(ShipmentException cause) {}

    @Override
    public void close() {}
  }
}
