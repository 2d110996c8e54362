package io.drayage.codec;

import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;

/**
 * Compresses single segments in one step each, between direct buffers. Not thread-safe.
 *
 * <p>The format tells where a segment ends: 0 bytes become at least 1, and what is cut off anywhere
 * or has a byte behind its end is refused. Bytes that cannot be compressed grow by at most 1/64 and
 * 1,024 bytes; 8 MiB of zeros take at most 2 MiB.
 */
public interface SegmentCompressor extends AutoCloseable {
  /**
   * Compresses all bytes from position to limit of {@code source}.
   *
   * @param source a direct buffer; its position afterwards means nothing
   * @param target a direct buffer; its position is moved behind what was written
   * @return false if the result does not fit into the target, whose remaining bytes then mean
   *     nothing
   */
  boolean compress(ByteBuffer source, ByteBuffer target);

  /**
   * Decompresses all bytes from position to limit of {@code source}, so that exactly the remaining
   * bytes of {@code target} are filled. Nothing beyond its limit is ever written.
   *
   * @param source a direct buffer that comes from a peer and may hold anything
   * @param target a direct buffer; its position is moved to its limit
   * @throws ShipmentException {@code DECODE} if the bytes are no such data or stand for another
   *     number of bytes, naming what is wrong
   */
  void decompress(ByteBuffer source, ByteBuffer target) throws ShipmentException;

  /** Releases its memory outside the heap. */
  @Override
  void close();
}
