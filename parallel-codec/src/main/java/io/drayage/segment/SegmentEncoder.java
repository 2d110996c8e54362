package io.drayage.segment;

import io.drayage.cargo.PartContent;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.FrameType;
import io.drayage.memory.BufferPool;
import io.drayage.memory.Lease;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;

/**
 * Makes the frames of single segments: serializer and compressor in one step, into a leased buffer.
 * For one thread.
 */
public final class SegmentEncoder {
  private static final int HEADERS_BYTES = FrameHeader.BYTES + SegmentHeader.BYTES;

  private final SegmentSerializer serializer;
  private final int serializerId;
  private final int compressorId;

  public SegmentEncoder(SegmentSerializer serializer, int serializerId, int compressorId) {
    this.serializer = serializer;
    this.serializerId = serializerId;
    this.compressorId = compressorId;
  }

  /**
   * The complete frame of {@code segment}. Waits for a buffer.
   *
   * @param content the whole part that the segment belongs to
   * @return a lease that the caller owns
   */
  public Lease encode(Segment segment, PartContent content, BufferPool buffers, long shipmentId)
      throws InterruptedException {
    int maxBytes = HEADERS_BYTES + serializer.maxSerializedBytes(segment, content);
    // The bound on text is twice what mostly comes; a buffer out of the pool is worth the try.
    boolean mayOverflow =
        maxBytes > buffers.pooledBytes() && segment.estimatedRawBytes() < buffers.pooledBytes();
    if (mayOverflow) {
      try {
        return encode(segment, content, buffers.lease(buffers.pooledBytes()), shipmentId);
      } catch (BufferOverflowException e) {
        // Characters beyond Latin-1, or a skew of lengths: once more, with room for the worst.
      }
    }
    return encode(segment, content, buffers.lease(maxBytes), shipmentId);
  }

  private Lease encode(Segment segment, PartContent content, Lease lease, long shipmentId) {
    boolean done = false;
    try {
      ByteBuffer frame = lease.buffer();
      frame.position(HEADERS_BYTES);
      serializer.serialize(segment, content, frame);
      frame.flip();
      int serializedBytes = frame.limit() - HEADERS_BYTES;
      new SegmentHeader(segment.index(), serializerId, compressorId, serializedBytes)
          .write(frame, FrameHeader.BYTES);
      FrameHeader.write(frame, FrameType.SEGMENT, shipmentId);
      done = true;
      return lease;
    } finally {
      if (!done) {
        lease.close();
      }
    }
  }
}
