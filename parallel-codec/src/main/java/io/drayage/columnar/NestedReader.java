package io.drayage.columnar;

import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Reads the encodings that consist of other streams. Payloads:
 *
 * <pre>
 *   RLE    runs i32 | bits: which values begin a run | stream of runs values
 *   DICT   size i32 | stream of codes, ints of 0 to size - 1 | stream of size values
 *   ALP    see {@link DecimalReader}
 *   REPEAT see {@link RepeatReader}
 * </pre>
 *
 * For one thread.
 */
final class NestedReader {
  private static final int MIN_ROOM = 1024;
  private static final int GROUP = 8;

  private final StreamReader child;
  private final BitsReader starts;
  private final DecimalReader decimals;
  private final RepeatReader repeats;
  private final RunRoom runRoom = new RunRoom();
  private final int[] window = new int[Words.MINI];
  private final long[] wideWindow = new long[Words.MINI];
  private int[] codes = new int[0];
  private int[] ints = new int[0];
  private long[] longs = new long[0];
  private long[] bits = new long[0];

  NestedReader(StreamReader child) {
    this.child = child;
    this.starts = new BitsReader(child);
    this.decimals = new DecimalReader(child);
    this.repeats = new RepeatReader(child, starts);
  }

  /** Reads a payload; what follows the last stream is the caller's business. */
  List<EncodingTree> read(Encoding encoding, ByteBuffer source, int count, Room room)
      throws ShipmentException {
    return switch (encoding) {
      case RLE -> readRuns(source, count, room);
      case DICT -> readDictionary(source, count, room);
      case REPEAT -> repeats.read(source, count, room);
      default -> decimals.read(source, count, room);
    };
  }

  private List<EncodingTree> readRuns(ByteBuffer source, int count, Room room)
      throws ShipmentException {
    Malformed.unlessThere("a number of runs", source, Integer.BYTES);
    int runs = source.getInt();
    Malformed.unlessWithin("a number of runs", runs, 1, count);
    int words = BitsWriter.words(count);
    if (bits.length < words) {
      bits = new long[Math.max(MIN_ROOM, words)];
    }
    EncodingTree startsTree = starts.read(source, count, bits);
    int begun = 0;
    for (int w = 0; w < words; w++) {
      begun += Long.bitCount(bits[w]);
    }
    if (begun != runs || (bits[0] & 1) == 0) {
      throw Malformed.because(
          "%,d runs begin, stated are %,d, and the first begins with bit %d"
              .formatted(begun, runs, bits[0] & 1));
    }
    EncodingTree tree = readChild(source, runs, room.kind());
    if (RunRoom.suits(count, runs, room.rawWidth())) {
      runRoom.expand(bits, count, runs, ints, longs, room);
    } else if (room.kind().isWide()) {
      expandWide(count, room);
    } else {
      expandNarrow(count, room);
    }
    return List.of(startsTree, tree);
  }

  /** Values of the room's kind into {@link #ints} or {@link #longs}. */
  private EncodingTree readChild(ByteBuffer source, int count, Kind kind) throws ShipmentException {
    if (kind.isWide()) {
      if (longs.length < count) {
        longs = new long[Math.max(MIN_ROOM, count)];
      }
      return child.read(source, count, Room.of(kind, longs));
    }
    if (ints.length < count) {
      ints = new int[Math.max(MIN_ROOM, count)];
    }
    return child.read(source, count, Room.of(kind, ints));
  }

  private void expandWide(int count, Room room) {
    int run = -1;
    for (int from = 0; from < count; from += Words.MINI) {
      int n = Math.min(Words.MINI, count - from);
      for (int i = 0; i < n; i += Long.SIZE) {
        run = expand(bits[(from + i) >>> 6], i, run, longs, wideWindow);
      }
      room.store(from, n, wideWindow);
    }
  }

  private void expandNarrow(int count, Room room) {
    int run = -1;
    for (int from = 0; from < count; from += Words.MINI) {
      int n = Math.min(Words.MINI, count - from);
      for (int i = 0; i < n; i += Long.SIZE) {
        run = expand(bits[(from + i) >>> 6], i, run, ints, window);
      }
      room.store(from, n, window);
    }
  }

  /** Writes 64 values, of which those run on that have no bit; eight at a time, which is faster. */
  private static int expand(long word, int from, int before, long[] values, long[] to) {
    int run = before;
    long left = word;
    for (int i = from; i < from + Long.SIZE; i += GROUP) {
      int group = (int) left;
      left >>>= GROUP;
      run += group & 1;
      to[i] = values[run];
      run += (group >>> 1) & 1;
      to[i + 1] = values[run];
      run += (group >>> 2) & 1;
      to[i + 2] = values[run];
      run += (group >>> 3) & 1;
      to[i + 3] = values[run];
      run += (group >>> 4) & 1;
      to[i + 4] = values[run];
      run += (group >>> 5) & 1;
      to[i + 5] = values[run];
      run += (group >>> 6) & 1;
      to[i + 6] = values[run];
      run += (group >>> 7) & 1;
      to[i + 7] = values[run];
    }
    return run;
  }

  /** As the other. */
  private static int expand(long word, int from, int before, int[] values, int[] to) {
    int run = before;
    long left = word;
    for (int i = from; i < from + Long.SIZE; i += GROUP) {
      int group = (int) left;
      left >>>= GROUP;
      run += group & 1;
      to[i] = values[run];
      run += (group >>> 1) & 1;
      to[i + 1] = values[run];
      run += (group >>> 2) & 1;
      to[i + 2] = values[run];
      run += (group >>> 3) & 1;
      to[i + 3] = values[run];
      run += (group >>> 4) & 1;
      to[i + 4] = values[run];
      run += (group >>> 5) & 1;
      to[i + 5] = values[run];
      run += (group >>> 6) & 1;
      to[i + 6] = values[run];
      run += (group >>> 7) & 1;
      to[i + 7] = values[run];
    }
    return run;
  }

  private List<EncodingTree> readDictionary(ByteBuffer source, int count, Room room)
      throws ShipmentException {
    Malformed.unlessThere("the size of a dictionary", source, Integer.BYTES);
    int size = source.getInt();
    Malformed.unlessWithin("the size of a dictionary", size, 1, count);
    if (codes.length < count) {
      codes = new int[Math.max(MIN_ROOM, count)];
    }
    EncodingTree codesTree = child.read(source, count, Room.of(Kind.INT, codes));
    int seen = 0;
    int most = 0;
    for (int i = 0; i < count; i++) {
      seen |= codes[i];
      most = Math.max(most, codes[i]);
    }
    if (seen < 0 || most >= size) {
      throw Malformed.because(
          "a code of %,d in a dictionary of %,d".formatted(seen < 0 ? -1 : most, size));
    }
    EncodingTree tree = readChild(source, size, room.kind());
    for (int from = 0; from < count; from += Words.MINI) {
      int n = Math.min(Words.MINI, count - from);
      if (room.kind().isWide()) {
        for (int i = 0; i < n; i++) {
          wideWindow[i] = longs[codes[from + i]];
        }
        room.store(from, n, wideWindow);
      } else {
        for (int i = 0; i < n; i++) {
          window[i] = ints[codes[from + i]];
        }
        room.store(from, n, window);
      }
    }
    return List.of(tree, codesTree);
  }
}
