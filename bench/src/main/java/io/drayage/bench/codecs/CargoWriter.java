package io.drayage.bench.codecs;

import io.drayage.baseline.stream.CompressorStreams;
import io.drayage.baseline.stream.StreamSerializer;
import io.drayage.baseline.stream.UnflushedOutputStream;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.PartContent;
import io.drayage.codec.SegmentEncoder;
import io.drayage.frame.FrameType;
import io.drayage.frame.Seal;
import io.drayage.memory.BufferPool;
import io.drayage.memory.ByteBudget;
import io.drayage.memory.Lease;
import io.drayage.segment.CargoAssembler;
import io.drayage.segment.FramePlan;
import io.drayage.segment.Manifest;
import io.drayage.segment.ManifestCodec;
import io.drayage.segment.SegmentPlanner;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/** Measures how many bytes a combination makes of a cargo, and keeps none of them. */
public final class CargoWriter {
  static final int BUFFER_BYTES = SegmentPlanner.DEFAULT_SEGMENT_BYTES * 5 / 4;
  private static final long BUDGET_BYTES = 16L << 20;

  private CargoWriter() {}

  /** Bytes of the whole stream; of segments, those of all frames, as a raw stream has them. */
  static long countBytes(ChangeCargo cargo, Combination combination)
      throws IOException, InterruptedException {
    return combination.form() == Form.SEGMENTS
        ? countFrames(cargo, combination)
        : countStream(cargo, combination);
  }

  private static long countStream(ChangeCargo cargo, Combination combination) throws IOException {
    CountingOutputStream counter = new CountingOutputStream();
    writeStream(cargo, combination, counter);
    return counter.bytes();
  }

  /** Writes {@code cargo} through the streams of serializer and compressor into {@code out}. */
  public static void writeStream(ChangeCargo cargo, Combination combination, OutputStream out)
      throws IOException {
    OutputStream compressing = CompressorStreams.compressing(combination.newCompressor(), out);
    try (OutputStream target =
        combination.form() == Form.NO_FLUSH
            ? new UnflushedOutputStream(compressing)
            : compressing) {
      StreamSerializer.write(combination.newSerializer(), cargo, target);
    }
  }

  private static long countFrames(ChangeCargo cargo, Combination combination)
      throws InterruptedException {
    int segmentBytes = SegmentPlanner.DEFAULT_SEGMENT_BYTES;
    Manifest manifest = new SegmentPlanner(segmentBytes).plan(cargo);
    FramePlan plan = FramePlan.of(manifest, segmentBytes);
    List<PartContent> contents = CargoAssembler.contentsOf(cargo);
    BufferPool buffers = new BufferPool(BUFFER_BYTES, new ByteBudget(BUDGET_BYTES));
    long bytes = ManifestCodec.toFrame(manifest, 0).remaining();
    var serializer = combination.newSerializer();
    try (SegmentEncoder encoder =
        new SegmentEncoder(
            serializer.newSegmentSerializer(), serializer.id(), combination.newCompressor())) {
      for (int frame = 0; frame < plan.frameCount(); frame++) {
        try (Lease lease = encoder.encode(plan.segments(frame), contents, buffers, 0)) {
          bytes += lease.remainingBytes();
        }
      }
    }
    return bytes + new Seal.Digest().seal().toFrame(FrameType.SEAL, 0).remaining();
  }
}
