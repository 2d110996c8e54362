package io.drayage.columnar;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the encoding of a stream: the one with the least time on the wire, for coding and for
 * decoding together. Exact about what one pass tells, by a {@link Sample} about the rest. The same
 * values and options lead to the same choice, always. For one thread.
 */
final class Chooser {
  /** More different values than this are no dictionary. */
  static final int MAX_DICTIONARY = 1 << 14;

  /** Below this, a sample says nothing that is worth its time. */
  private static final int MIN_SAMPLED = 64;

  /** About what the length of a run takes beyond the bits of the mean length. */
  private static final double SPREAD_BITS = 1.7;

  private final ColumnarOptions options;
  private final Sample sample = new Sample();
  private final Sample integers = new Sample();
  private final List<Choice> choices = new ArrayList<>();

  Chooser(ColumnarOptions options) {
    this.options = options;
  }

  /**
   * The encodings that are worth a try, best first; the last is always {@link Encoding#RAW}.
   *
   * @param isLeaf whether there may be no streams within
   */
  List<Choice> choose(Values values, Statistics statistics, boolean isLeaf) {
    choices.clear();
    int count = values.count();
    boolean wide = values.kind().isWide();
    double rawBytes = (double) count * values.rawWidth();
    add(Encoding.RAW, null, rawBytes, count, wide);
    if (statistics.isConstant()) {
      add(Encoding.CONST, null, Long.BYTES, count, wide);
      return sorted();
    }
    addFrames(statistics, count, wide);
    if (count >= MIN_SAMPLED) {
      sample.take(values);
      addSampled(values, statistics, count, wide);
      if (!isLeaf) {
        addNested(values, statistics, count, wide);
      }
    }
    return sorted();
  }

  private List<Choice> sorted() {
    choices.sort((a, b) -> Double.compare(a.ns(), b.ns()));
    int raw = 0;
    while (choices.get(raw).encoding() != Encoding.RAW) {
      raw++;
    }
    return choices.subList(0, raw + 1);
  }

  private void add(
      Encoding encoding, @Nullable Patching patching, double bytes, int count, boolean wide) {
    add(encoding, patching, Choice.NO_PAIR, bytes, count, wide);
  }

  private void add(
      Encoding encoding,
      @Nullable Patching patching,
      int pair,
      double bytes,
      int count,
      boolean wide) {
    double ns = bytes * options.nsPerByte() + count * Costs.nsPerValue(encoding, wide);
    choices.add(new Choice(encoding, patching, pair, bytes, ns));
  }

  private void addFrames(Statistics statistics, int count, boolean wide) {
    add(Encoding.FOR, null, frameBytes(statistics, 0), count, wide);
    add(Encoding.DELTA, null, frameBytes(statistics, 1), count, wide);
  }

  private static double frameBytes(Statistics statistics, int order) {
    return statistics.packedBytes(order) + tableBytes(statistics.minis(), order);
  }

  private static double tableBytes(int minis, int order) {
    return 13 + 10 * (order + 1) + minis * (1 + 2.5 * order);
  }

  private void addSampled(Values values, Statistics statistics, int count, boolean wide) {
    for (int order = 0; order <= 2; order++) {
      if (order == 2) {
        double bytes = sample.plainBits(2) / Byte.SIZE * count;
        if (bytes < 0.8 * statistics.packedBytes(1)) {
          add(Encoding.DELTA2, null, bytes + tableBytes(statistics.minis(), 2), count, wide);
        } else {
          break;
        }
      }
      Patching patching = sample.patching(order, values.kind().bits());
      if (patching != null) {
        double bytes = sample.patchedBits() / Byte.SIZE * count;
        Encoding encoding =
            switch (order) {
              case 0 -> Encoding.PFOR;
              case 1 -> Encoding.PDELTA;
              default -> Encoding.PDELTA2;
            };
        double tables = tableBytes(statistics.minis(), order) + 5.0 * statistics.minis();
        add(encoding, patching, bytes + tables, count, wide);
      }
    }
  }

  private void addNested(Values values, Statistics statistics, int count, boolean wide) {
    if (values.kind().isFloating()) {
      addDecimals(values, count, wide);
      if (wide) {
        addReals(count);
      }
    }
    double bestBits = (double) values.rawWidth() * Byte.SIZE;
    for (Choice choice : choices) {
      bestBits = Math.min(bestBits, choice.bytes() * Byte.SIZE / count);
    }
    long distinct = sample.distinct();
    if (distinct <= Math.min(count / 4, MAX_DICTIONARY)) {
      int codeBits = Words.width(distinct - 1);
      double bytes = (double) codeBits * count / Byte.SIZE + distinct * bestBits / Byte.SIZE + 60;
      add(Encoding.DICT, null, bytes, count, wide);
      bestBits = Math.min(bestBits, bytes * Byte.SIZE / count);
    }
    int runs = statistics.runs();
    if (runs < 0.8 * count) {
      double gapBits = Math.log((double) count / runs) / Math.log(2) + SPREAD_BITS;
      double startBytes = Math.min(count, runs * gapBits) / Byte.SIZE;
      double bytes = startBytes + runs * bestRunBits(values, bestBits) / Byte.SIZE + 60;
      add(Encoding.RLE, null, bytes, count, wide);
    }
  }

  private void addDecimals(Values values, int count, boolean wide) {
    int pair = integers.takeDecimals(sample);
    if (pair < 0) {
      return;
    }
    double bits = Math.min(integers.plainBits(0), integers.plainBits(1));
    for (int order = 0; order < 2; order++) {
      if (integers.patching(order, values.kind().bits()) != null) {
        bits = Math.min(bits, integers.patchedBits());
      }
    }
    double exceptionBits = (double) integers.exceptions() * (values.kind().bits() + 8);
    double bytes = (bits * count + exceptionBits / sample.count() * count) / Byte.SIZE + 60;
    add(Encoding.ALP, null, pair, bytes, count, wide);
  }

  /** Doubles that are no decimals, or not quite. */
  private void addReals(int count) {
    if (choices.get(choices.size() - 1).encoding() != Encoding.ALP) {
      double[] doubles = sample.doubles();
      int pair = NearDecimals.choose(doubles, sample.count());
      if (pair >= 0) {
        long bits = NearDecimals.estimateBits(doubles, sample.count(), pair);
        add(Encoding.NEAR, null, pair, scaled(bits, count), count, true);
      }
    }
    int cut = RealSplit.choose(sample.values(), sample.count());
    long bits = RealSplit.estimateBits(sample.values(), sample.count(), cut);
    add(Encoding.SPLIT, null, cut, scaled(bits, count), count, true);
  }

  /** Bytes of all values, from the bits of the sample; with the headers of two streams. */
  private double scaled(long bits, int count) {
    return (double) bits / sample.count() * count / Byte.SIZE + 60;
  }

  /** A value that begins a run takes about what it takes anywhere. */
  private static double bestRunBits(Values values, double bestBits) {
    return Math.min(values.kind().bits(), Math.max(1, bestBits));
  }
}
