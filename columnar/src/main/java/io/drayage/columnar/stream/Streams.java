package io.drayage.columnar.stream;

import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Writes and reads streams of values, each with its header and in the encoding that suits it.
 * Encodings consist of such streams. Buffers are little-endian; their position is moved behind the
 * stream. Not thread-safe.
 */
public interface Streams {
  /** The depth of streams without inner streams; a segment's own streams have 0. */
  int MAX_DEPTH = 2;

  /**
   * Writes a stream, of at most {@link StreamHeader#BYTES} more than the raw values.
   *
   * @param like the scheme of a similar stream; null if it is not known
   * @param maxBytes maximum bytes of the stream
   * @throws StreamTooLongException if it would be longer
   */
  Scheme write(Values values, @Nullable Scheme like, ByteBuffer target, int maxBytes);

  /** Writes a stream of any length. */
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
   * @param count number of values, checked by the caller; nothing is known about the values
   * @throws ShipmentException {@code DECODE} if the bytes are no such stream
   */
  Scheme read(ByteBuffer source, int count, ValueSink sink) throws ShipmentException;

  /** Reads a stream of {@code count} integers into {@code target[0]} and following. */
  default Scheme readInts(ByteBuffer source, int count, int[] target) throws ShipmentException {
    return read(source, count, new ArrayValues(Kind.INT, target, count));
  }
}
