package io.drayage.columnar.integer;

import io.drayage.columnar.kernel.Bits;
import io.drayage.columnar.kernel.LongDictionary;
import io.drayage.columnar.kernel.MiniBlock;
import io.drayage.columnar.stream.Analysis;
import io.drayage.columnar.stream.ArrayValues;
import io.drayage.columnar.stream.Encoding;
import io.drayage.columnar.stream.Estimate;
import io.drayage.columnar.stream.Kind;
import io.drayage.columnar.stream.Malformed;
import io.drayage.columnar.stream.MappedValues;
import io.drayage.columnar.stream.Scheme;
import io.drayage.columnar.stream.StreamHeader;
import io.drayage.columnar.stream.Streams;
import io.drayage.columnar.stream.ValueSink;
import io.drayage.columnar.stream.Values;
import io.drayage.columnar.stream.Workspace;
import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Each distinct value once, and the code of each value:
 *
 * <pre>
 *   size i32 | stream of codes, ints of 0 to size - 1 | stream of size values
 * </pre>
 */
public final class DictionaryEncoding extends Encoding {
  /** Maximum number of distinct values of a dictionary. */
  private static final int MAX_SIZE = 1 << 14;

  /** Bits beyond its width for a code that does not follow its predecessor: PDELTA's exception. */
  private static final int JUMP_BITS = 12;

  /** The indexes of the two streams. */
  private static final int ENTRIES = 0;

  private static final int CODES = 1;

  private final Workspace workspace;
  private final Streams within;
  private final LongDictionary dictionary = new LongDictionary();

  public DictionaryEncoding(Workspace workspace, Streams within) {
    super(10, "DICT");
    this.workspace = workspace;
    this.within = within;
  }

  @Override
  public @Nullable Estimate estimate(Analysis analysis) {
    int count = analysis.count();
    long distinct = Math.max(1, analysis.sample().distinct());
    if (distinct > Math.min(count / 4, MAX_SIZE)) {
      return null;
    }
    double entryBytes = distinct * analysis.bestBits() / Byte.SIZE + 60;
    int width = Bits.width(distinct - 1);
    double jumpBits = analysis.sample().jumping() * (JUMP_BITS + width);
    double codeBytes = Math.min(width, jumpBits) * count / Byte.SIZE;
    double codedBytes = analysis.sample().entropy() * count / Byte.SIZE;
    return analysis.coded(codeBytes + entryBytes, codedBytes + entryBytes, 0);
  }

  @Override
  public @Nullable List<Scheme> write(Values values, Scheme scheme, ByteBuffer target) {
    int count = values.count();
    int[] codes = workspace.codes(count);
    dictionary.clear();
    for (int from = 0; from < count; from += MiniBlock.VALUES) {
      int n = Math.min(MiniBlock.VALUES, count - from);
      values.loadLongs(from, n, workspace.wideWindow, 0, workspace.window);
      dictionary.codes(workspace.wideWindow, n, codes, from);
      if (dictionary.size() > MAX_SIZE) {
        return null;
      }
    }
    int size = dictionary.size();
    target.putInt(size);
    ArrayValues places = new ArrayValues(Kind.INT, codes, count);
    Scheme codesTree = within.write(places, scheme.child(CODES), target);
    Values entries =
        values.kind().isWide()
            ? new ArrayValues(values.kind(), dictionary.values(), size)
            : narrowed(values, size);
    return List.of(within.write(entries, scheme.child(ENTRIES), target), codesTree);
  }

  private Values narrowed(Values values, int size) {
    int[] ints = workspace.ints(size);
    for (int i = 0; i < size; i++) {
      ints[i] = (int) dictionary.values()[i];
    }
    return new ArrayValues(values.kind(), ints, size);
  }

  @Override
  public List<Scheme> read(ByteBuffer source, int count, ValueSink sink) throws ShipmentException {
    Malformed.unlessThere("the size of a dictionary", source, Integer.BYTES);
    int size = source.getInt();
    Malformed.unlessWithin("the size of a dictionary", size, 1, count);
    int codesAt = source.position();
    StreamHeader.skip(source);
    Scheme entries = within.read(source, size, workspace.values(sink.kind(), size));
    int end = source.position();
    source.position(codesAt);
    Lookup lookup = new Lookup(size, sink);
    Scheme codesTree = within.read(source, count, lookup);
    Malformed.unlessWithin("a code in a dictionary", lookup.wrongCode(), 0, size - 1L);
    source.position(end);
    return List.of(entries, codesTree);
  }

  /**
   * Receives codes and stores their entries. The length of the entries' array is a power of two, so
   * that a masked code is a valid index. Wrong codes are reported at the end.
   */
  private final class Lookup extends MappedValues {
    private final int size;
    private final Object found;
    private int wrong;

    Lookup(int size, ValueSink sink) {
      super(Kind.INT, sink);
      this.size = size;
      this.found = window(sink);
    }

    @Override
    protected void map(int from, int count, Object window) {
      int[] codes = (int[]) window;
      if (wrong == 0) {
        wrong = firstWrong(codes, count, size);
      }
      if (found instanceof long[] longs) {
        look(workspace.longs(0), codes, count, longs);
      } else if (found instanceof double[] doubles) {
        look(workspace.longs(0), codes, count, doubles);
      } else {
        lookNarrow(workspace.ints(0), codes, count, found);
      }
      sink.store(from, count, found);
    }

    /** Returns a code without an entry, or 0. */
    int wrongCode() {
      return wrong;
    }
  }

  /** Returns an array of the type of the values, which are stored from it without a conversion. */
  private Object window(ValueSink sink) {
    return switch (sink.rawWidth()) {
      case Byte.BYTES -> new byte[MiniBlock.VALUES];
      case Short.BYTES -> new short[MiniBlock.VALUES];
      default ->
          switch (sink.kind()) {
            case FLOAT -> new float[MiniBlock.VALUES];
            case DOUBLE -> new double[MiniBlock.VALUES];
            default -> workspace.window(sink.kind());
          };
    };
  }

  /** Returns the first of some codes that is not within 0 to {@code size - 1}; 0 if all are. */
  private static int firstWrong(int[] codes, int count, int size) {
    int wrong = 0;
    for (int i = 0; i < count; i++) {
      wrong |= codes[i] | (size - 1 - codes[i]);
    }
    if (wrong < 0) {
      for (int i = 0; i < count; i++) {
        if (codes[i] < 0 || codes[i] >= size) {
          return codes[i];
        }
      }
    }
    return 0;
  }

  private static void look(long[] entries, int[] codes, int count, long[] to) {
    int mask = entries.length - 1;
    for (int i = 0; i < count; i++) {
      to[i] = entries[codes[i] & mask];
    }
  }

  private static void look(long[] entries, int[] codes, int count, double[] to) {
    int mask = entries.length - 1;
    for (int i = 0; i < count; i++) {
      to[i] = Double.longBitsToDouble(entries[codes[i] & mask]);
    }
  }

  private static void lookNarrow(int[] entries, int[] codes, int count, Object found) {
    int mask = entries.length - 1;
    if (found instanceof int[] to) {
      for (int i = 0; i < count; i++) {
        to[i] = entries[codes[i] & mask];
      }
    } else if (found instanceof float[] to) {
      for (int i = 0; i < count; i++) {
        to[i] = Float.intBitsToFloat(entries[codes[i] & mask]);
      }
    } else if (found instanceof short[] to) {
      for (int i = 0; i < count; i++) {
        to[i] = (short) entries[codes[i] & mask];
      }
    } else {
      byte[] to = (byte[]) found;
      for (int i = 0; i < count; i++) {
        to[i] = (byte) entries[codes[i] & mask];
      }
    }
  }
}
