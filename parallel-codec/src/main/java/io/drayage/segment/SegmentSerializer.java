package io.drayage.segment;

import io.drayage.cargo.PartContent;
import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;

/** Turns single segments into bytes and back. Not thread-safe. */
public interface SegmentSerializer {
  /**
   * Told before the first segment is serialized that its bytes will be compressed: other bytes may
   * suit that better.
   */
  default void expectCompression() {}

  /** At most how many bytes {@link #serialize} will write for {@code segment}. */
  int maxSerializedBytes(Segment segment, PartContent content);

  /**
   * Writes the rows of {@code segment}.
   *
   * @param content the whole part that the segment belongs to
   * @param target a little-endian buffer; its position is moved behind what was written
   * @throws java.nio.BufferOverflowException if the target has less room than the segment needs;
   *     never if it has {@link #maxSerializedBytes}. The segment may be serialized again
   */
  void serialize(Segment segment, PartContent content, ByteBuffer target);

  /**
   * Reads the rows of {@code segment} into their place.
   *
   * @param source exactly the bytes that {@link #serialize} wrote, from position to limit,
   *     little-endian; they come from a peer and may be anything
   * @param content the whole part, allocated; only the segment's rows are written
   * @throws ShipmentException {@code DECODE} if the bytes are not such a segment, saying why
   */
  void deserialize(Segment segment, ByteBuffer source, PartContent content)
      throws ShipmentException;

  /** Releases its memory outside the heap; it is not used any more. */
  default void close() {}
}
