package io.drayage.segment;

import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;

/** Puts single segments into their place: the reverse of {@link SegmentEncoder}. For one thread. */
public final class SegmentDecoder {
  private final SegmentSerializer serializer;
  private final int serializerId;
  private final int compressorId;

  public SegmentDecoder(SegmentSerializer serializer, int serializerId, int compressorId) {
    this.serializer = serializer;
    this.serializerId = serializerId;
    this.compressorId = compressorId;
  }

  /**
   * Decodes one segment into {@code assembler}.
   *
   * @param payload the verified payload of its frame
   * @return the segment's number
   * @throws ShipmentException if the payload is no segment of this cargo, saying why
   */
  public int decode(ByteBuffer payload, CargoAssembler assembler) throws ShipmentException {
    SegmentHeader header = SegmentHeader.ofPayload(payload);
    if (header.serializerId() != serializerId || header.compressorId() != compressorId) {
      throw new ShipmentException(
          Fault.FOREIGN,
          "segment %,d comes with serializer %d and compressor %d, the shipment has %d and %d"
              .formatted(
                  header.segmentIndex(),
                  header.serializerId(),
                  header.compressorId(),
                  serializerId,
                  compressorId));
    }
    Segment segment = assembler.claim(header.segmentIndex());
    if (header.serializedBytes() != payload.remaining()) {
      throw new ShipmentException(
          Fault.DECODE,
          "%s states %,d serialized bytes and has %,d"
              .formatted(segment, header.serializedBytes(), payload.remaining()));
    }
    serializer.deserialize(segment, payload, assembler.content(segment));
    assembler.countTexts(segment);
    return header.segmentIndex();
  }
}
