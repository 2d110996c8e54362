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

  /** What a fast general compressor takes for a byte, both ways. */
  private static final double TAIL_NS_PER_BYTE = 3;

  private final ColumnarOptions options;
  private final Sample sample = new Sample();
  private final Sample integers = new Sample();
  private final Repeats repeats = new Repeats();
  private final List<Choice> choices = new ArrayList<>();

  private Kind kind = Kind.INT;
  private int rawWidth;

  Chooser(ColumnarOptions options) {
    this.options = options;
  }

  /**
   * The encodings that are worth a try, best first; the last is always {@link Encoding#RAW}.
   *
   * @param facts what is known of the values by sample, or where to note it
   * @param isLeaf whether there may be no streams within
   */
  List<Choice> choose(Values values, Statistics statistics, Facts facts, boolean isLeaf) {
    choices.clear();
    int count = values.count();
    kind = values.kind();
    rawWidth = values.rawWidth();
    double rawBytes = (double) count * values.rawWidth();
    add(Encoding.RAW, null, rawBytes, count);
    if (statistics.isConstant()) {
      add(Encoding.CONST, null, Long.BYTES, count);
      return sorted();
    }
    addFrames(statistics, count);
    if (count >= MIN_SAMPLED) {
      if (!facts.isKnown()) {
        sample.take(values);
        facts.learn(sample, integers, repeats, values, isLeaf);
      }
      addSampled(facts, statistics, count);
      if (!isLeaf) {
        addNested(facts, values, statistics, count);
      }
    }
    return sorted();
  }

  /** How a stream would be written in one encoding; null if it cannot be. */
  @Nullable Choice choiceOf(Encoding encoding, Values values, Facts facts, boolean isLeaf) {
    rawWidth = values.rawWidth();
    sample.take(values);
    facts.learn(sample, integers, repeats, values, isLeaf);
    int parameter =
        switch (encoding) {
          case ALP -> facts.pair();
          case REPEAT -> facts.distance();
          default -> 0;
        };
    Patching patching = encoding.isPatched() ? facts.patching(encoding.order()) : null;
    boolean suits =
        switch (encoding) {
          case CONST -> false;
          case PFOR, PDELTA -> patching != null;
          case RLE, DICT -> !isLeaf;
          case ALP -> !isLeaf && parameter >= 0;
          case REPEAT -> !isLeaf && parameter > 0;
          case NARROW -> rawWidth < Integer.BYTES;
          default -> encoding.id() < Encoding.EMPTY.id();
        };
    return suits ? new Choice(encoding, patching, parameter, 0, 0) : null;
  }

  private List<Choice> sorted() {
    choices.sort((a, b) -> Double.compare(a.ns(), b.ns()));
    int raw = 0;
    while (choices.get(raw).encoding() != Encoding.RAW) {
      raw++;
    }
    return choices.subList(0, raw + 1);
  }

  private void add(Encoding encoding, @Nullable Patching patching, double bytes, int count) {
    add(encoding, patching, Choice.NO_PAIR, bytes, count);
  }

  private void add(
      Encoding encoding, @Nullable Patching patching, int pair, double bytes, int count) {
    double nsPerByte = options.nsPerByte() + (options.hasTail() ? TAIL_NS_PER_BYTE : 0);
    double ns = bytes * nsPerByte + count * nsPerValue(encoding);
    choices.add(new Choice(encoding, patching, pair, bytes, ns));
  }

  private double nsPerValue(Encoding encoding) {
    return Costs.nsPerValue(encoding, kind, rawWidth);
  }

  private void addFrames(Statistics statistics, int count) {
    if (statistics.has(Statistics.VALUES)) {
      add(Encoding.FOR, null, frameBytes(statistics, 0), count);
      if (rawWidth < Integer.BYTES) {
        add(Encoding.NARROW, null, statistics.narrowBytes(rawWidth), count);
      }
    }
    if (statistics.has(Statistics.DIFFERENCES)) {
      add(Encoding.DELTA, null, frameBytes(statistics, 1), count);
    }
  }

  private static double frameBytes(Statistics statistics, int order) {
    return statistics.packedBytes(order) + tableBytes(statistics.minis(), order);
  }

  private static double tableBytes(int minis, int order) {
    return 13 + 10 * (order + 1) + minis * (1 + 2.5 * order);
  }

  private void addSampled(Facts facts, Statistics statistics, int count) {
    int most = statistics.has(Statistics.DIFFERENCES) ? 1 : 0;
    for (int order = statistics.has(Statistics.VALUES) ? 0 : 1; order <= most; order++) {
      Patching patching = facts.patching(order);
      if (patching != null) {
        Encoding encoding = order == 0 ? Encoding.PFOR : Encoding.PDELTA;
        double tables = tableBytes(statistics.minis(), order) + 5.0 * statistics.minis();
        add(encoding, patching, facts.patchedBits(order) / Byte.SIZE * count + tables, count);
      }
    }
  }

  private void addNested(Facts facts, Values values, Statistics statistics, int count) {
    if (facts.pair() != Choice.NO_PAIR) {
      double bytes = facts.decimalBits() * count / Byte.SIZE + 60;
      add(Encoding.ALP, null, facts.pair(), bytes, count);
    }
    double bestBits = (double) values.rawWidth() * Byte.SIZE;
    for (Choice choice : choices) {
      bestBits = Math.min(bestBits, choice.bytes() * Byte.SIZE / count);
    }
    long distinct = facts.distinct(count);
    if (distinct <= Math.min(count / 4, MAX_DICTIONARY)) {
      int codeBits = Words.width(distinct - 1);
      double bytes = (double) codeBits * count / Byte.SIZE + distinct * bestBits / Byte.SIZE + 60;
      add(Encoding.DICT, null, bytes, count);
      bestBits = Math.min(bestBits, bytes * Byte.SIZE / count);
    }
    if (facts.distance() > 0 && values.isPlain()) {
      double share = Math.max(facts.exceptionShare(), 1.0 / count);
      double each = StrictMath.log(1 / share) / StrictMath.log(2) + SPREAD_BITS + bestBits;
      double bytes = (facts.distance() * bestBits + share * count * each) / Byte.SIZE + 60;
      add(Encoding.REPEAT, null, facts.distance(), bytes, count);
      addNs(Costs.nsPerException() * share * count);
    }
    int runs = statistics.runs();
    if (statistics.has(Statistics.RUNS) && runs < 0.8 * count) {
      double gapBits = StrictMath.log((double) count / runs) / StrictMath.log(2) + SPREAD_BITS;
      double startBytes = Math.min(count, runs * gapBits) / Byte.SIZE;
      double bytes = startBytes + runs * bestRunBits(values, bestBits) / Byte.SIZE + 60;
      add(Encoding.RLE, null, bytes, count);
      addNs(Costs.nsPerRun() * runs);
    }
  }

  /** The last choice costs so much more. */
  private void addNs(double ns) {
    Choice last = choices.remove(choices.size() - 1);
    choices.add(last.withNs(last.ns() + ns));
  }

  /** A value that begins a run takes about what it takes anywhere. */
  private static double bestRunBits(Values values, double bestBits) {
    return Math.min(values.kind().bits(), Math.max(1, bestBits));
  }
}
