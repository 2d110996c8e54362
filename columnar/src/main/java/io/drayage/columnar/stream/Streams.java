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
   * @param like how a stream like this was written; null if that is not known
   * @param maxBytes how long the stream may become
   * @throws StreamTooLongException if it would be longer
   */
  Scheme write(Values values, @Nullable Scheme like, ByteBuffer target, int maxBytes);

  /** Writes a stream, however long it becomes. */
  default Scheme write(Values values, @Nullable Scheme like, ByteBuffer target) {
    return write(values, like, target, Integer.MAX_VALUE);
  }

  /** Writes {@code values[0]} to {@code values[count - 1]}. */
  default Scheme writeInts(int[] values, int count, ByteBuffer target) {
    return write(new ArrayValues(Kind.INT, values, count), null, target);
  }

  /**
   * Reads a stream.
   *
   * @param count how many values it has: known to be allowed. Nothing is known about the values
   * @throws ShipmentException {@code DECODE} if the bytes are no such stream
   */
  Scheme read(ByteBuffer source, int count, ValueSink sink) throws ShipmentException;

  /** Reads a stream of {@code count} integers into {@code target[0]} and following. */
  default Scheme readInts(ByteBuffer source, int count, int[] target) throws ShipmentException {
    return read(source, count, new ArrayValues(Kind.INT, target, count));
  }
}
