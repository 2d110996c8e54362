package io.drayage.codec;

import static io.drayage.internal.Texts.format;

import io.drayage.frame.Fault;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.ShipmentException;
import io.drayage.segment.CargoSink;
import io.drayage.segment.Segment;
import io.drayage.segment.SegmentHeader;
import io.drayage.segment.SegmentScratch;
import io.drayage.segment.SegmentSerializer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Decodes the segments of frames into place: reverses {@link SegmentEncoder}. Not thread-safe. */
public final class SegmentDecoder implements AutoCloseable {
  /** The most serialized bytes of a segment, compressed or not: the room of a frame. */
  public static final int MAX_SERIALIZED_BYTES =
      FrameHeader.MAX_PAYLOAD_BYTES - SegmentHeader.BYTES;

  private final SegmentSerializer serializer;
  private final int serializerId;

  /** Reads segments that {@code raw} wrote; null if such segments are not allowed. */
  private final @Nullable SegmentSerializer raw;

  private final SegmentCompressor compressor;
  private final int compressorId;
  private final int maxRatio;
  private List<Segment> lastRun = List.of();
  private final ScratchBuffer scratch = new ScratchBuffer();
  private final SegmentScratch rows = new SegmentScratch();

  /** A direct copy of payloads on the heap. */
  private final ScratchBuffer copied = new ScratchBuffer();

  /**
   * Creates the decoder of a codec thread.
   *
   * @param serializer has state, so that only this decoder may use it
   * @param serializerId its number on the wire, which every segment must have
   */
  public SegmentDecoder(SegmentSerializer serializer, int serializerId, Compressor compressor) {
    this.serializer = CheckedSegments.of(serializer, serializerId, compressor);
    this.serializerId = serializerId;
    this.compressor = compressor.newSegmentCompressor();
    this.compressorId = compressor.id();
    this.raw =
        compressorId == Compressor.STORED_ID && serializerId != Serializer.RAW_ID
            ? Serializers.ofId(Serializer.RAW_ID).newSegmentSerializer()
            : null;
    this.maxRatio = compressor.maxRatio();
  }

  /**
   * Decodes the segment, or the run of segments, of one frame into {@code sink}.
   *
   * @param payload the verified payload of the frame
   * @return the header; it has the number of the frame's first segment
   * @throws ShipmentException that names the reason why the payload is no segment of this cargo
   */
  public SegmentHeader decode(ByteBuffer payload, CargoSink sink) throws ShipmentException {
    SegmentHeader header = SegmentHeader.ofPayload(payload);
    boolean stored = header.compressorId() == Compressor.STORED_ID;
    SegmentSerializer writtenBy = serializer(header.serializerId());
    if (writtenBy == null || !(stored || header.compressorId() == compressorId)) {
      throw new ShipmentException(
          Fault.PROTOCOL_VIOLATION,
          format(
              "segment %,d comes with serializer %d and compressor %d, the shipment has %d and %d",
              header.segmentIndex(),
              header.serializerId(),
              header.compressorId(),
              serializerId,
              compressorId));
    }
    header.requireRoomForRun();
    List<Segment> run = sink.claim(header.segmentIndex(), header.furtherSegments());
    lastRun = run;
    Segment first = run.get(0);
    if (run.stream().noneMatch(sink::wants)) {
      return header;
    }
    ByteBuffer serialized = stored ? payload : decompress(first, header, payload);
    if (header.serializedBytes() != serialized.remaining()) {
      throw new ShipmentException(
          Fault.DECODE,
          format(
              "%s states %,d serialized bytes and has %,d",
              first, header.serializedBytes(), serialized.remaining()));
    }
    if (run.size() == 1) {
      sink.decode(first, serialized, writtenBy, rows);
    } else {
      deserializeRun(run, serialized, writtenBy, sink);
    }
    return header;
  }

  private @Nullable SegmentSerializer serializer(int id) {
    return id == serializerId ? serializer : id == Serializer.RAW_ID ? raw : null;
  }

  /** The segments of the frame that was decoded last. */
  public List<Segment> lastRun() {
    return lastRun;
  }

  private void deserializeRun(
      List<Segment> run, ByteBuffer serialized, SegmentSerializer writtenBy, CargoSink sink)
      throws ShipmentException {
    for (Segment segment : run) {
      int rest = serialized.remaining() - SegmentHeader.LENGTH_BYTES;
      int length = rest < 0 ? -1 : serialized.getInt();
      if (length < 0 || length > rest) {
        throw new ShipmentException(
            Fault.DECODE,
            format("%s in a run states %,d bytes, there are %,d", segment, length, rest));
      }
      int at = serialized.position();
      ByteBuffer source = serialized.slice(at, length).order(ByteOrder.LITTLE_ENDIAN);
      sink.decode(segment, source, writtenBy, rows);
      serialized.position(at + length);
    }
    if (serialized.hasRemaining()) {
      throw new ShipmentException(
          Fault.DECODE,
          format(
              "%,d bytes follow %s, the last of its run",
              serialized.remaining(), run.get(run.size() - 1)));
    }
  }

  private ByteBuffer decompress(Segment segment, SegmentHeader header, ByteBuffer payload)
      throws ShipmentException {
    long maxBytes = Math.min(MAX_SERIALIZED_BYTES, (long) payload.remaining() * maxRatio);
    if (header.serializedBytes() < 0 || header.serializedBytes() > maxBytes) {
      throw new ShipmentException(
          Fault.LIMIT,
          format(
              "%s states %,d serialized bytes in %,d compressed ones; the limit is %,d",
              segment, header.serializedBytes(), payload.remaining(), maxBytes));
    }
    ByteBuffer serialized = scratch.ofBytes(header.serializedBytes());
    // Native code needs an address: a payload on the heap is copied first.
    compressor.decompress(payload.isDirect() ? payload : direct(payload), serialized);
    return serialized.flip();
  }

  private ByteBuffer direct(ByteBuffer payload) {
    return copied.ofBytes(payload.remaining()).put(payload).flip();
  }

  @Override
  public void close() {
    serializer.close();
    if (raw != null) {
      raw.close();
    }
    compressor.close();
  }
}
