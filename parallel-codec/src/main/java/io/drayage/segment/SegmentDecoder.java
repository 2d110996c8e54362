package io.drayage.segment;

import io.drayage.compressor.Compressor;
import io.drayage.compressor.SegmentCompressor;
import io.drayage.frame.Fault;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;

/** Puts single segments into their place: the reverse of {@link SegmentEncoder}. For one thread. */
public final class SegmentDecoder implements AutoCloseable {
  /** The most bytes of a segment between compressor and serializer: as many as uncompressed. */
  public static final int MAX_SERIALIZED_BYTES =
      FrameHeader.MAX_PAYLOAD_BYTES - SegmentHeader.BYTES;

  private final SegmentSerializer serializer;
  private final int serializerId;
  private final SegmentCompressor compressor;
  private final int compressorId;
  private final int maxRatio;
  private final ScratchBuffer scratch = new ScratchBuffer();

  public SegmentDecoder(SegmentSerializer serializer, int serializerId, Compressor compressor) {
    this.serializer = serializer;
    this.serializerId = serializerId;
    this.compressor = compressor.newSegmentCompressor();
    this.compressorId = compressor.id();
    this.maxRatio = compressor.maxRatio();
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
    boolean stored = header.compressorId() == Compressor.STORED_ID;
    if (header.serializerId() != serializerId
        || !(stored || header.compressorId() == compressorId)) {
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
    ByteBuffer serialized = stored ? payload : decompress(segment, header, payload);
    if (header.serializedBytes() != serialized.remaining()) {
      throw new ShipmentException(
          Fault.DECODE,
          "%s states %,d serialized bytes and has %,d"
              .formatted(segment, header.serializedBytes(), serialized.remaining()));
    }
    serializer.deserialize(segment, serialized, assembler.content(segment));
    assembler.countTexts(segment);
    return header.segmentIndex();
  }

  private ByteBuffer decompress(Segment segment, SegmentHeader header, ByteBuffer payload)
      throws ShipmentException {
    long maxBytes = Math.min(MAX_SERIALIZED_BYTES, (long) payload.remaining() * maxRatio);
    if (header.serializedBytes() < 0 || header.serializedBytes() > maxBytes) {
      throw new ShipmentException(
          Fault.LIMIT,
          "%s states %,d serialized bytes in %,d compressed ones; the limit is %,d"
              .formatted(segment, header.serializedBytes(), payload.remaining(), maxBytes));
    }
    ByteBuffer serialized = scratch.ofBytes(header.serializedBytes());
    // Natives read at addresses: where the payload lies on the heap, it is copied first.
    compressor.decompress(payload.isDirect() ? payload : direct(payload), serialized);
    return serialized.flip();
  }

  private static ByteBuffer direct(ByteBuffer payload) {
    return ByteBuffer.allocateDirect(payload.remaining()).put(payload).flip();
  }

  @Override
  public void close() {
    compressor.close();
  }
}
