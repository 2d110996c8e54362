package io.drayage.bench.codecs.work;

import io.drayage.bench.codecs.Combination;
import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.CargoSize;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.PartContent;
import io.drayage.codec.SegmentDecoder;
import io.drayage.codec.SegmentEncoder;
import io.drayage.codec.Serializer;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.ShipmentException;
import io.drayage.memory.BufferPool;
import io.drayage.memory.ByteBudget;
import io.drayage.memory.Lease;
import io.drayage.segment.CargoAssembler;
import io.drayage.segment.FramePlan;
import io.drayage.segment.Manifest;
import io.drayage.segment.SegmentPlanner;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * All segments of a cargo out of frames in direct memory, through one decoder into a new cargo:
 * checksums verified, decompressed, decoded into their place.
 */
final class SegmentDeserialization implements Work {
  private static final long BUDGET_BYTES = 64L << 20;

  private final Manifest manifest;
  private final List<ByteBuffer> frames = new ArrayList<>();
  private final SegmentDecoder decoder;
  private final long rawBytes;
  private long encodedBytes;

  SegmentDeserialization(ChangeCargo cargo, Combination combination) throws InterruptedException {
    this.rawBytes = CargoSize.rawBytes(cargo);
    this.manifest = new SegmentPlanner(SegmentPlanner.DEFAULT_SEGMENT_BYTES).plan(cargo);
    encode(cargo, combination);
    Serializer serializer = combination.newSerializer();
    this.decoder =
        new SegmentDecoder(
            serializer.newSegmentSerializer(), serializer.id(), combination.newCompressor());
  }

  private void encode(ChangeCargo cargo, Combination combination) throws InterruptedException {
    Serializer serializer = combination.newSerializer();
    BufferPool buffers =
        new BufferPool(SegmentSerialization.BUFFER_BYTES, new ByteBudget(BUDGET_BYTES));
    FramePlan plan = FramePlan.of(manifest, SegmentPlanner.DEFAULT_SEGMENT_BYTES);
    List<PartContent> contents = CargoAssembler.contentsOf(cargo);
    try (SegmentEncoder encoder =
        new SegmentEncoder(
            serializer.newSegmentSerializer(), serializer.id(), combination.newCompressor())) {
      for (int planned = 0; planned < plan.frameCount(); planned++) {
        try (Lease frame = encoder.encode(plan.segments(planned), contents, buffers, 0)) {
          encodedBytes += frame.remainingBytes();
          frames.add(ByteBuffer.allocateDirect(frame.remainingBytes()).put(frame.buffer()).flip());
        }
      }
    }
  }

  @Override
  public ChangeCargo run() throws ShipmentException {
    CargoAssembler assembler = new CargoAssembler(manifest);
    for (ByteBuffer frame : frames) {
      decoder.decode(FrameHeader.verify(frame), assembler);
    }
    return assembler.cargo();
  }

  @Override
  public void verify(long digest) throws ShipmentException {
    Work.requireDigest(digest, CargoDigest.of(run()));
  }

  @Override
  public long rawBytes() {
    return rawBytes;
  }

  @Override
  public long encodedBytes() {
    return encodedBytes;
  }

  @Override
  public int segments() {
    return manifest.segments().size();
  }

  @Override
  public void close() {
    decoder.close();
  }
}
