package io.drayage.bench.codecs;

import io.drayage.cargo.CargoSize;
import io.drayage.cargo.ChangeCargo;
import io.drayage.codec.SegmentDecoder;
import io.drayage.codec.Serializer;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.ShipmentException;
import io.drayage.memory.Lease;
import io.drayage.segment.CargoAssembler;
import io.drayage.segment.Manifest;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Decodes all segments of a cargo from frames in direct memory, through one decoder, into a new
 * cargo. Verifies checksums, decompresses, and decodes the values into their place.
 */
final class SegmentDeserialization extends Work {
  private final Manifest manifest;
  private final List<ByteBuffer> frames = new ArrayList<>();
  private final SegmentDecoder decoder;

  SegmentDeserialization(ChangeCargo cargo, Combination combination) throws InterruptedException {
    super(CargoSize.rawBytes(cargo));
    try (SegmentSerialization writing = new SegmentSerialization(cargo, combination)) {
      this.manifest = writing.encode(this::copy);
      encoded(writing.encodedBytes(), writing.segments());
    }
    Serializer serializer = combination.newSerializer();
    this.decoder =
        new SegmentDecoder(
            serializer.newSegmentSerializer(), serializer.id(), combination.newCompressor());
  }

  private void copy(Lease frame) {
    try (frame) {
      ByteBuffer bytes = frame.buffer();
      frames.add(ByteBuffer.allocateDirect(bytes.remaining()).put(bytes).flip());
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
    requireDigest(digest, run());
  }

  @Override
  public void close() {
    decoder.close();
  }
}
