package io.drayage.bench.codecs.work;

import io.drayage.cargo.ChangeCargo;
import io.drayage.codec.SegmentDecoder;
import io.drayage.frame.Fault;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.FrameType;
import io.drayage.frame.ShipmentException;
import io.drayage.segment.CargoAssembler;
import io.drayage.segment.ManifestCodec;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Puts a cargo together from the frames of its shipment. Thread-safe: one frame at a time. */
final class CargoOfFrames implements FramesDropped.Look, AutoCloseable {
  private final SegmentDecoder decoder;
  private @Nullable CargoAssembler assembler;

  CargoOfFrames(Combination combination) {
    this.decoder = combination.newSegmentDecoder();
  }

  @Override
  public synchronized void at(ByteBuffer frame) throws ShipmentException {
    FrameType type = FrameHeader.type(frame);
    if (type == FrameType.MANIFEST) {
      assembler =
          new CargoAssembler(ManifestCodec.ofPayload(FrameHeader.verify(frame), Long.MAX_VALUE));
    } else if (type == FrameType.SEGMENT) {
      decoder.decode(FrameHeader.verify(frame), begun());
    }
  }

  /**
   * The cargo.
   *
   * @throws ShipmentException {@code SEGMENT_MISSING} if not all frames have come
   */
  synchronized ChangeCargo cargo() throws ShipmentException {
    CargoAssembler complete = begun();
    if (!complete.isComplete()) {
      throw new ShipmentException(
          Fault.SEGMENT_MISSING, "%s is missing".formatted(complete.firstMissing()));
    }
    return complete.cargo();
  }

  private CargoAssembler begun() throws ShipmentException {
    if (assembler == null) {
      throw new ShipmentException(Fault.PROTOCOL_VIOLATION, "no manifest came first");
    }
    return assembler;
  }

  @Override
  public synchronized void close() {
    decoder.close();
  }
}
