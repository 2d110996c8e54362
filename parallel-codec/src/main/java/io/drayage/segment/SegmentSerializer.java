package io.drayage.segment;

import io.drayage.cargo.PartContent;
import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;

/** Turns single segments into bytes and back. Not thread-safe. */
public interface SegmentSerializer {
  /**
   * Announces, before the first segment is serialized, that its bytes will be compressed. Other
   * bytes may then be better.
   */
  default void expectCompression() {}

  /** Maximum number of bytes that {@link #serialize} will write for {@code segment}. */
  int maxSerializedBytes(Segment segment, PartContent content);

  /**
   * Writes the rows of {@code segment}.
   *
   * @param content the whole part that the segment belongs to
   * @param target a little-endian buffer; its position is moved behind the written bytes
   * @throws java.nio.BufferOverflowException if the segment does not fit into the target; never if
   *     the target has {@link #maxSerializedBytes}. The segment may be serialized again
   */
  void serialize(Segment segment, PartContent content, ByteBuffer target);

  /**
   * Reads the rows of {@code segment} into their place.
   *
   * @param source exactly the bytes that {@link #serialize} wrote, from position to limit,
   *     little-endian; they come from a peer and may be anything
   * @param content the whole part, allocated; only the segment's rows are written
   * @throws ShipmentException {@code DECODE} if the bytes are not such a segment, with the reason
   */
  void deserialize(Segment segment, ByteBuffer source, PartContent content)
      throws ShipmentException;

  /** Releases memory outside the heap; the serializer is not used any more. */
  default void close() {}
}
