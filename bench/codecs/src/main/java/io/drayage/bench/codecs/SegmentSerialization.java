package io.drayage.bench.codecs;

import io.drayage.cargo.CargoSize;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.PartContent;
import io.drayage.codec.SegmentEncoder;
import io.drayage.codec.Serializer;
import io.drayage.memory.BufferPool;
import io.drayage.memory.ByteBudget;
import io.drayage.memory.Lease;
import io.drayage.segment.CargoAssembler;
import io.drayage.segment.FramePlan;
import io.drayage.segment.Manifest;
import io.drayage.segment.SegmentPlanner;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.function.Consumer;

/**
 * Encodes all segments of a cargo through one encoder into pooled buffers, including planning.
 * Frames of {@value #IN_FLIGHT_BYTES} bytes are retained before the first is released, so that no
 * buffer is still in a cache when it is reused.
 */
final class SegmentSerialization extends Work {
  static final int IN_FLIGHT_BYTES = 64 << 20;

  private static final int SEGMENT_BYTES = SegmentPlanner.DEFAULT_SEGMENT_BYTES;

  /** The size of the sender's buffers: a quarter above a segment, for validity bits and headers. */
  private static final int BUFFER_BYTES = SEGMENT_BYTES * 5 / 4;

  /** Frames larger than a pooled buffer count more. */
  private static final long BUDGET_BYTES = 16L * IN_FLIGHT_BYTES;

  private final ChangeCargo cargo;
  private final Combination combination;
  private final BufferPool buffers = new BufferPool(BUFFER_BYTES, new ByteBudget(BUDGET_BYTES));
  private final SegmentEncoder encoder;
  private final Queue<Lease> inFlight = new ArrayDeque<>();

  SegmentSerialization(ChangeCargo cargo, Combination combination) {
    super(CargoSize.rawBytes(cargo));
    this.cargo = cargo;
    this.combination = combination;
    Serializer serializer = combination.newSerializer();
    this.encoder =
        new SegmentEncoder(
            serializer.newSegmentSerializer(), serializer.id(), combination.newCompressor());
  }

  @Override
  public Object run() throws InterruptedException {
    Manifest manifest = encode(this::retain);
    releaseAll();
    return manifest;
  }

  /** Encodes all segments; {@code frames} owns each frame that it receives. */
  Manifest encode(Consumer<Lease> frames) throws InterruptedException {
    Manifest manifest = new SegmentPlanner(SEGMENT_BYTES).plan(cargo);
    List<PartContent> contents = CargoAssembler.contentsOf(cargo);
    FramePlan plan = FramePlan.of(manifest, SEGMENT_BYTES);
    long bytes = 0;
    for (int planned = 0; planned < plan.frameCount(); planned++) {
      Lease frame = encoder.encode(plan.segments(planned), contents, buffers, 0);
      bytes += frame.remainingBytes();
      frames.accept(frame);
    }
    encoded(bytes, manifest.segments().size());
    return manifest;
  }

  private void retain(Lease frame) {
    inFlight.add(frame);
    if (inFlight.size() > IN_FLIGHT_BYTES / BUFFER_BYTES) {
      inFlight.remove().close();
    }
  }

  private void releaseAll() {
    inFlight.forEach(Lease::close);
    inFlight.clear();
  }

  @Override
  public void verify(long digest) throws Exception {
    try (Work reading = new SegmentDeserialization(cargo, combination)) {
      reading.verify(digest);
    }
  }

  @Override
  public void close() {
    releaseAll();
    encoder.close();
  }
}
