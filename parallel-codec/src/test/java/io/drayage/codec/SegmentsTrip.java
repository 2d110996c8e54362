package io.drayage.codec;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.PartContent;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.ShipmentException;
import io.drayage.memory.BufferPool;
import io.drayage.memory.ByteBudget;
import io.drayage.memory.Lease;
import io.drayage.segment.CargoAssembler;
import io.drayage.segment.FramePlan;
import io.drayage.segment.Manifest;
import io.drayage.segment.ManifestCodec;
import io.drayage.segment.Segment;
import io.drayage.segment.SegmentPlanner;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * The segments form: planner, encoder, frame, decoder, assembler. Decodes in another order.
 *
 * @param segmentBytes the approximate number of raw bytes of a segment
 */
record SegmentsTrip(CodecPair pair, int segmentBytes) implements Trip {
  private static final long SHUFFLE_SEED = 4;
  private static final int POOLED_BYTES = 64 << 10;

  SegmentsTrip(CodecPair pair) {
    this(pair, SegmentPlanner.DEFAULT_SEGMENT_BYTES);
  }

  @Override
  public ChangeCargo carry(ChangeCargo cargo) throws ShipmentException, InterruptedException {
    Manifest manifest = plan(cargo);
    FramePlan plan = FramePlan.of(manifest, segmentBytes);
    List<List<Segment>> runs =
        IntStream.range(0, plan.frameCount()).mapToObj(plan::segments).toList();
    List<ByteBuffer> frames = encode(runs, cargo);
    Collections.shuffle(frames, new Random(SHUFFLE_SEED));
    CargoAssembler assembler = new CargoAssembler(manifest);
    try (SegmentDecoder decoder = newDecoder()) {
      for (ByteBuffer frame : frames) {
        decoder.decode(FrameHeader.verify(frame), assembler);
      }
    }
    return assembler.cargo();
  }

  /** The manifest of {@code cargo} as it arrives. */
  Manifest plan(ChangeCargo cargo) throws ShipmentException {
    Manifest manifest = new SegmentPlanner(segmentBytes).plan(cargo);
    return ManifestCodec.ofPayload(
        FrameHeader.verify(ManifestCodec.toFrame(manifest, 0)), MAX_CARGO_BYTES);
  }

  /** The frames of all segments, without runs, each in a direct buffer of its own. */
  List<ByteBuffer> encode(Manifest manifest, ChangeCargo cargo) throws InterruptedException {
    return encode(manifest.segments().stream().map(List::of).toList(), cargo);
  }

  private List<ByteBuffer> encode(List<List<Segment>> runs, ChangeCargo cargo)
      throws InterruptedException {
    List<PartContent> contents = CargoAssembler.contentsOf(cargo);
    ByteBudget budget = new ByteBudget(64L << 20);
    BufferPool buffers = new BufferPool(POOLED_BYTES, budget);
    List<ByteBuffer> frames = new ArrayList<>();
    try (SegmentEncoder encoder =
        new SegmentEncoder(
            pair.serializer().newSegmentSerializer(), pair.serializer().id(), pair.compressor())) {
      for (List<Segment> run : runs) {
        try (Lease lease = encoder.encode(run, contents, buffers, 0)) {
          frames.add(copy(lease.buffer()));
        }
      }
    }
    if (budget.usedBytes() != 0) {
      throw new IllegalStateException(format("%,d bytes stay leased", budget.usedBytes()));
    }
    return frames;
  }

  /** A direct copy of exactly the remaining bytes. */
  static ByteBuffer copy(ByteBuffer source) {
    return ByteBuffer.allocateDirect(source.remaining())
        .order(ByteOrder.LITTLE_ENDIAN)
        .put(source.duplicate())
        .flip();
  }

  SegmentDecoder newDecoder() {
    return new SegmentDecoder(
        pair.serializer().newSegmentSerializer(), pair.serializer().id(), pair.compressor());
  }
}
