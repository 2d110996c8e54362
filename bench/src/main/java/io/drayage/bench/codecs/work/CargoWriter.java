package io.drayage.bench.codecs.work;

import com.google.common.io.CountingOutputStream;
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
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/** Writes a cargo by a combination, or only measures how many bytes that makes. */
public final class CargoWriter {
  /** As the sender's: a quarter above a segment, for validity bits and headers. */
  static final int BUFFER_BYTES = SegmentPlanner.DEFAULT_SEGMENT_BYTES * 5 / 4;

  private static final long BUDGET_BYTES = 64L << 20;

  private CargoWriter() {}

  /** Bytes of the whole stream; of segments, those of all frames, as a raw stream has them. */
  public static long countBytes(ChangeCargo cargo, Combination combination)
      throws IOException, InterruptedException {
    if (combination.form() != Form.SEGMENTS) {
      CountingOutputStream counter = new CountingOutputStream(OutputStream.nullOutputStream());
      writeStream(cargo, combination, counter);
      return counter.getCount();
    }
    LongAdder bytes = new LongAdder();
    Manifest manifest = writeFrames(cargo, combination, frame -> bytes.add(frame.remaining()));
    return bytes.sum()
        + ManifestCodec.toFrame(manifest, 0).remaining()
        + new Seal.Digest().seal().toFrame(FrameType.SEAL, 0).remaining();
  }

  /** Writes {@code cargo} through the streams of serializer and compressor into {@code out}. */
  static void writeStream(ChangeCargo cargo, Combination combination, OutputStream out)
      throws IOException {
    OutputStream compressing = CompressorStreams.compressing(combination.newCompressor(), out);
    try (OutputStream target =
        combination.form() == Form.NO_FLUSH
            ? new UnflushedOutputStream(compressing)
            : compressing) {
      StreamSerializer.write(combination.newSerializer(), cargo, target);
    }
  }

  /**
   * Encodes the segments of {@code cargo}, one frame after the other.
   *
   * @param frames receives each frame, from position to limit; its buffer is used again afterwards
   */
  static Manifest writeFrames(
      ChangeCargo cargo, Combination combination, Consumer<ByteBuffer> frames)
      throws InterruptedException {
    int segmentBytes = SegmentPlanner.DEFAULT_SEGMENT_BYTES;
    Manifest manifest = new SegmentPlanner(segmentBytes).plan(cargo);
    FramePlan plan = FramePlan.of(manifest, segmentBytes);
    List<PartContent> contents = CargoAssembler.contentsOf(cargo);
    BufferPool buffers = new BufferPool(BUFFER_BYTES, new ByteBudget(BUDGET_BYTES));
    try (SegmentEncoder encoder = combination.newSegmentEncoder()) {
      for (int frame = 0; frame < plan.frameCount(); frame++) {
        try (Lease lease = encoder.encode(plan.segments(frame), contents, buffers, 0)) {
          frames.accept(lease.buffer());
        }
      }
    }
    return manifest;
  }
}
