package io.drayage.columnar;

import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;

/**
 * Writes and reads streams of integers as part of another encoding: dictionary codes, lengths, the
 * integers of decimals. Each stream chooses its own encoding, and says how long it is. For one
 * thread.
 *
 * <p>Buffers are little-endian; their position is moved behind the stream. Arrays belong to the
 * caller and may be longer than {@code count}.
 */
public interface IntegerStreams {
  /** What a stream takes beyond its raw values, at most. */
  int MAX_OVERHEAD_BYTES = 8;

  /**
   * Writes {@code values[0]} to {@code values[count - 1]}; at most 4 bytes each and {@link
   * #MAX_OVERHEAD_BYTES}.
   *
   * @throws java.nio.BufferOverflowException if the target has no room for the stream
   */
  void writeInts(int[] values, int count, ByteBuffer target);

  /** As {@link #writeInts}, at most 8 bytes a value. */
  void writeLongs(long[] values, int count, ByteBuffer target);

  /**
   * Reads a stream of {@code count} values, of which the caller has checked that they are no more
   * than the segment has rows. Nothing is known about the values themselves.
   *
   * @throws ShipmentException {@code DECODE} if the bytes are no such stream
   */
  void readInts(ByteBuffer source, int count, int[] target) throws ShipmentException;

  /** As {@link #readInts}. */
  void readLongs(ByteBuffer source, int count, long[] target) throws ShipmentException;
}
