package io.drayage.bench.codecs.work;

import io.drayage.cargo.CargoSize;
import io.drayage.cargo.ChangeCargo;
import io.drayage.codec.SegmentDecoder;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.ShipmentException;
import io.drayage.segment.CargoAssembler;
import io.drayage.segment.Manifest;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * All segments of a cargo out of frames in direct memory, through one decoder into a new cargo:
 * checksums verified, decompressed, decoded into their place.
 */
final class SegmentDeserialization extends Work {
  private final Manifest manifest;
  private final List<ByteBuffer> frames = new ArrayList<>();
  private final SegmentDecoder decoder;

  SegmentDeserialization(ChangeCargo cargo, Combination combination) throws InterruptedException {
    super(CargoSize.rawBytes(cargo));
    this.manifest =
        CargoWriter.writeFrames(
            cargo,
            combination,
            frame -> frames.add(ByteBuffer.allocateDirect(frame.remaining()).put(frame).flip()));
    encoded(frames.stream().mapToLong(ByteBuffer::capacity).sum(), manifest.segments().size());
    this.decoder = combination.newSegmentDecoder();
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
    requireDigest(digest, run());
  }

  @Override
  public void close() {
    decoder.close();
  }
}
