package io.drayage.columnar;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes values that repeat at a distance. The layout is that of {@link RepeatReader}. */
final class RepeatWriter {
  private static final int MIN_ROOM = 1024;

  /** With more exceptions, there is always something better. */
  private static final int VALUES_OF_EXCEPTION = 4;

  /** Which of the facts are whose; the numbers are none of {@link NestedWriter}'s other ones. */
  private static final int EXCEPTIONS = 0;

  private static final int LITERALS = 1;

  private final StreamWriter child;
  private final BitsWriter exceptions;
  private int[] ints = new int[0];
  private long[] longs = new long[0];
  private long[] bits = new long[0];
  private int literals;

  RepeatWriter(StreamWriter child, BitsWriter exceptions) {
    this.child = child;
    this.exceptions = exceptions;
  }

  /** Writes a payload; null if the values do not repeat. */
  @Nullable List<EncodingTree> write(Values values, int distance, Facts facts, ByteBuffer target) {
    int count = values.count();
    if (!values.isPlain() || distance < 1 || distance >= count || !collect(values, distance)) {
      return null;
    }
    target.putInt(distance);
    EncodingTree tree = exceptions.write(bits, count - distance, facts.child(EXCEPTIONS), target);
    Values literal =
        values.kind().isWide()
            ? Values.of(values.kind(), longs, literals)
            : Values.of(values.kind(), ints, literals);
    return List.of(tree, child.write(literal, facts.child(LITERALS), target, Integer.MAX_VALUE));
  }

  private boolean collect(Values values, int distance) {
    int count = values.count();
    int most = distance + (count - distance) / VALUES_OF_EXCEPTION;
    ensureRoom(values.kind(), most, BitsWriter.words(count - distance));
    Arrays.fill(bits, 0, BitsWriter.words(count - distance), 0);
    literals = 0;
    for (int at = 0; at < distance; at++) {
      if (!add(values, at)) {
        return false;
      }
    }
    int at = distance;
    while ((at = values.matchEnd(at, distance)) < count) {
      if (literals == most || !add(values, at)) {
        return false;
      }
      bits[(at - distance) >>> 6] |= 1L << (at - distance);
      at++;
    }
    return true;
  }

  /** Fails on NaNs: two of them are taken to be equal, and need not be. */
  private boolean add(Values values, int at) {
    long value = values.at(at);
    if (values.kind().isNaN(value)) {
      return false;
    }
    if (values.kind().isWide()) {
      longs[literals++] = value;
    } else {
      ints[literals++] = (int) value;
    }
    return true;
  }

  private void ensureRoom(Kind kind, int values, int words) {
    if (kind.isWide() && longs.length < values) {
      longs = new long[Math.max(MIN_ROOM, values)];
    }
    if (!kind.isWide() && ints.length < values) {
      ints = new int[Math.max(MIN_ROOM, values)];
    }
    if (bits.length < words) {
      bits = new long[Math.max(MIN_ROOM, words)];
    }
  }
}
