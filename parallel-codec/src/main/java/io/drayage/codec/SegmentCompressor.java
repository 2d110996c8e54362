package io.drayage.codec;

import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;

/**
 * Compresses single segments in one step each, between direct buffers. Not thread-safe.
 *
 * <p>The format marks the end of a segment: 0 bytes become at least 1, and a segment that is cut or
 * has a surplus byte is refused. Bytes that cannot be compressed grow by at most 1/64 and 1,024
 * bytes; 8 MiB of zeros become at most 2 MiB.
 */
public interface SegmentCompressor extends AutoCloseable {
  /**
   * Compresses all bytes from position to limit of {@code source}.
   *
   * @param source a direct buffer; its position afterwards means nothing
   * @param target a direct buffer; its position moves behind the result
   * @return false if the result does not fit into the target; then the target's remaining bytes
   *     mean nothing
   */
  boolean compress(ByteBuffer source, ByteBuffer target);

  /**
   * Decompresses all bytes from position to limit of {@code source}, so that exactly the remaining
   * bytes of {@code target} are filled. Writes nothing beyond the target's limit.
   *
   * @param source a direct buffer that comes from a peer and may hold anything
   * @param target a direct buffer; its position moves to its limit
   * @throws ShipmentException {@code DECODE} if the bytes are not in this format or expand to
   *     another number of bytes; the message has the reason
   */
  void decompress(ByteBuffer source, ByteBuffer target) throws ShipmentException;

  /** Releases the memory outside the heap. */
  @Override
  void close();
}
