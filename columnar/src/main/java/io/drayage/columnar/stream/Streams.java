package io.drayage.columnar.stream;

import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Writes and reads streams of values, each with its header and in the encoding that suits it: what
 * an encoding consists of. Buffers are little-endian; their position then stands behind the stream.
 * Not thread-safe.
 */
public interface Streams {
  /** The depth of streams that have none within: a segment's own is 0. */
  int MAX_DEPTH = 2;

  /**
   * Writes a stream, of at most {@link StreamHeader#BYTES} more than the raw values.
   *
   * @param known what is known of the values and of streams within, or where to note it; null if
   *     nothing is and need not be noted
   * @param maxBytes how long the stream may become
   * @throws StreamTooLongException if it would be longer
   */
  EncodingTree write(Values values, @Nullable Facts known, ByteBuffer target, int maxBytes);

  /** As the other, however long it becomes. */
  default EncodingTree write(Values values, @Nullable Facts known, ByteBuffer target) {
    return write(values, known, target, Integer.MAX_VALUE);
  }

  /** Writes {@code values[0]} to {@code values[count - 1]}. */
  default EncodingTree writeInts(int[] values, int count, ByteBuffer target) {
    return write(new ArrayValues(Kind.INT, values, count), null, target);
  }

  /**
   * Reads a stream.
   *
   * @param count how many values it has: known to be allowed. Nothing is known about the values
   * @throws ShipmentException {@code DECODE} if the bytes are no such stream
   */
  EncodingTree read(ByteBuffer source, int count, Values sink) throws ShipmentException;

  /** Reads a stream of {@code count} integers into {@code target[0]} and following. */
  default EncodingTree readInts(ByteBuffer source, int count, int[] target)
      throws ShipmentException {
    return read(source, count, new ArrayValues(Kind.INT, target, count));
  }
}
