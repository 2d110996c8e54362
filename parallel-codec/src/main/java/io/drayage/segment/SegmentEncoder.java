package io.drayage.segment;

import io.drayage.cargo.PartContent;
import io.drayage.compressor.Compressor;
import io.drayage.compressor.SegmentCompressor;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.FrameType;
import io.drayage.memory.BufferPool;
import io.drayage.memory.Lease;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/**
 * Makes the frames of single segments: serializer and compressor in one step, into a leased buffer.
 * A segment that does not become smaller is stored as it is. For one thread.
 */
public final class SegmentEncoder implements AutoCloseable {
  private static final int HEADERS_BYTES = FrameHeader.BYTES + SegmentHeader.BYTES;

  private final SegmentSerializer serializer;
  private final int serializerId;
  private final SegmentCompressor compressor;
  private final int compressorId;
  private final ScratchBuffer scratch = new ScratchBuffer();

  public SegmentEncoder(SegmentSerializer serializer, int serializerId, Compressor compressor) {
    this.serializer = serializer;
    this.serializerId = serializerId;
    this.compressor = compressor.newSegmentCompressor();
    this.compressorId = compressor.id();
  }

  /**
   * The complete frame of {@code segment}. Waits for a buffer.
   *
   * @param content the whole part that the segment belongs to
   * @return a lease that the caller owns
   */
  public Lease encode(Segment segment, PartContent content, BufferPool buffers, long shipmentId)
      throws InterruptedException {
    return compressorId == Compressor.STORED_ID
        ? encodeStored(segment, content, buffers, shipmentId)
        : encodeCompressed(segment, content, buffers, shipmentId);
  }

  private Lease encodeStored(
      Segment segment, PartContent content, BufferPool buffers, long shipmentId)
      throws InterruptedException {
    int maxBytes = HEADERS_BYTES + serializer.maxSerializedBytes(segment, content);
    // The bound on text is twice what mostly comes; a buffer out of the pool is worth the try.
    boolean mayOverflow =
        maxBytes > buffers.pooledBytes() && segment.estimatedRawBytes() < buffers.pooledBytes();
    if (mayOverflow) {
      try {
        return fill(
            buffers.lease(buffers.pooledBytes()),
            frame -> serializeInto(frame, segment, content, shipmentId));
      } catch (BufferOverflowException e) {
        // Characters beyond Latin-1, or a skew of lengths: once more, with room for the worst.
      }
    }
    return fill(
        buffers.lease(maxBytes), frame -> serializeInto(frame, segment, content, shipmentId));
  }

  private void serializeInto(
      ByteBuffer frame, Segment segment, PartContent content, long shipmentId) {
    frame.position(HEADERS_BYTES);
    serializer.serialize(segment, content, frame);
    int serializedBytes = frame.position() - HEADERS_BYTES;
    finish(frame, segment, Compressor.STORED_ID, serializedBytes, shipmentId);
  }

  private Lease encodeCompressed(
      Segment segment, PartContent content, BufferPool buffers, long shipmentId)
      throws InterruptedException {
    ByteBuffer serialized = serializeIntoScratch(segment, content);
    return fill(
        buffers.lease(HEADERS_BYTES + serialized.limit()),
        frame -> compressInto(frame, serialized, segment, shipmentId));
  }

  private ByteBuffer serializeIntoScratch(Segment segment, PartContent content) {
    int maxBytes = serializer.maxSerializedBytes(segment, content);
    if (maxBytes > scratch.capacity() && segment.estimatedRawBytes() < scratch.capacity()) {
      try {
        return serializeInto(scratch.ofBytes(scratch.capacity()), segment, content);
      } catch (BufferOverflowException e) {
        // As above.
      }
    }
    return serializeInto(scratch.ofBytes(maxBytes), segment, content);
  }

  private ByteBuffer serializeInto(ByteBuffer target, Segment segment, PartContent content) {
    serializer.serialize(segment, content, target);
    return target.flip();
  }

  private void compressInto(
      ByteBuffer frame, ByteBuffer serialized, Segment segment, long shipmentId) {
    int serializedBytes = serialized.limit();
    int id = compressorId;
    frame.position(HEADERS_BYTES).limit(HEADERS_BYTES + Math.max(0, serializedBytes - 1));
    if (!compressor.compress(serialized, frame)) {
      id = Compressor.STORED_ID;
      frame.clear().position(HEADERS_BYTES).put(serialized.position(0).limit(serializedBytes));
    }
    finish(frame, segment, id, serializedBytes, shipmentId);
  }

  private void finish(
      ByteBuffer frame, Segment segment, int compressedBy, int serializedBytes, long shipmentId) {
    frame.flip();
    new SegmentHeader(segment.index(), serializerId, compressedBy, serializedBytes)
        .write(frame, FrameHeader.BYTES);
    FrameHeader.write(frame, FrameType.SEGMENT, shipmentId);
  }

  /** Fills a leased buffer, and gives it back if that fails. */
  private static Lease fill(Lease lease, Consumer<ByteBuffer> content) {
    boolean done = false;
    try {
      content.accept(lease.buffer());
      done = true;
      return lease;
    } finally {
      if (!done) {
        lease.close();
      }
    }
  }

  @Override
  public void close() {
    compressor.close();
  }
}
