package io.drayage.columnar;

import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads what {@link StreamWriter} writes, and refuses everything else. Payloads:
 *
 * <pre>
 *   RAW                     values as they are
 *   CONST                   value i64
 *   FOR ... PDELTA          see {@link FrameReader}
 *   NARROW                  see {@link NarrowReader}
 *   RLE, DICT, REPEAT, ...  see {@link NestedReader}
 * </pre>
 *
 * For one thread.
 */
final class StreamReader {
  private final FrameReader frames;
  private final int depth;
  private final @Nullable NarrowReader narrow;
  private final @Nullable NestedReader nested;
  private final int[] window = new int[Words.MINI];
  private final long[] wideWindow = new long[Words.MINI];

  /**
   * @param depth that of the streams read, from 0 to {@link StreamWriter#MAX_DEPTH}
   * @param words may be shared among the streams of a thread
   */
  StreamReader(int depth, Words words) {
    this.depth = depth;
    this.frames = new FrameReader(words);
    this.narrow = depth == 0 ? new NarrowReader() : null;
    this.nested =
        depth == StreamWriter.MAX_DEPTH
            ? null
            : new NestedReader(new StreamReader(depth + 1, words));
  }

  /** Reads a stream of {@code count} values, which are known to be allowed. */
  EncodingTree read(ByteBuffer source, int count, Room room) throws ShipmentException {
    int start = source.position();
    int header = StreamHeader.read(source);
    StreamHeader.requireNoParameters(header);
    int limit = source.limit();
    source.limit(source.position() + StreamHeader.payloadBytes(source));
    Encoding encoding = Encoding.ofId(header & 0xFF);
    List<EncodingTree> children =
        encoding == null ? refuse(header & 0xFF) : read(encoding, source, count, room);
    Malformed.unlessExactly("the end of a stream", source, 0);
    source.limit(limit);
    String name = encoding == null ? "" : encoding.name();
    return new EncodingTree(name, count, source.position() - start, children);
  }

  private List<EncodingTree> read(Encoding encoding, ByteBuffer source, int count, Room room)
      throws ShipmentException {
    switch (encoding) {
      case RAW -> {
        Malformed.unlessExactly("raw values", source, (long) count * room.rawWidth());
        room.readRaw(source, count);
      }
      case CONST -> {
        Malformed.unlessExactly("a constant", source, Long.BYTES);
        fill(source.getLong(), count, room);
      }
      case FOR, PFOR, DELTA, PDELTA ->
          frames.read(source, count, encoding.order(), encoding.isPatched(), room);
      case NARROW -> {
        if (narrow == null) {
          throw Malformed.because("%s in a stream at depth %d".formatted(encoding, depth));
        }
        narrow.read(source, count, room);
      }
      case RLE, DICT, ALP, REPEAT -> {
        if (nested == null) {
          throw Malformed.because(
              "%s in a stream at depth %d".formatted(encoding, StreamWriter.MAX_DEPTH));
        }
        return nested.read(encoding, source, count, room);
      }
      default -> {
        return refuse(encoding.id());
      }
    }
    return List.of();
  }

  private static List<EncodingTree> refuse(int id) throws ShipmentException {
    throw Malformed.because("number %d is no encoding of values".formatted(id));
  }

  private void fill(long value, int count, Room room) {
    boolean wide = room.kind().isWide();
    if (wide) {
      Arrays.fill(wideWindow, value);
    } else {
      Arrays.fill(window, (int) value);
    }
    for (int from = 0; from < count; from += Words.MINI) {
      int n = Math.min(Words.MINI, count - from);
      if (wide) {
        room.store(from, n, wideWindow);
      } else {
        room.store(from, n, window);
      }
    }
  }
}
