package io.drayage.columnar;

import io.drayage.columnar.stream.Choice;
import io.drayage.columnar.stream.Encoding;
import io.drayage.columnar.stream.Estimates;
import io.drayage.columnar.stream.Facts;
import io.drayage.columnar.stream.Statistics;
import io.drayage.columnar.stream.ValueSample;
import io.drayage.columnar.stream.Values;
import java.util.List;

/**
 * Chooses the encoding of a stream: the one with the least time on the wire, for coding and for
 * decoding together. Exact about what one pass tells, by a {@link ValueSample} about the rest. The
 * same values and options lead to the same choice, always. Not thread-safe.
 */
final class Chooser {
  /** Below this, a sample tells nothing that is worth its time. */
  private static final int MIN_SAMPLED = 64;

  /** What a fast general compressor takes for a byte, both ways. */
  private static final double TAIL_NS_PER_BYTE = 3;

  /** A longer stream is sampled first. */
  private static final int MAX_TRIED_BYTES = 64 << 10;

  /** With this share of a sample that recurs, little else is as fast as LZ4. */
  private static final double MOSTLY = 0.75;

  /** What LZ4 leaves less of has runs or repeats, of which others leave several times less. */
  private static final int VERY_SHORT = 8;

  /** What it takes to write values, of the costs of both sides. */
  private static final double WRITING = 0.5;

  /** Not on a slow link, where a pass over all values costs little of the whole. */
  private final boolean previews;

  private final List<Encoding> encodings;
  private final Statistics statistics;
  private final double nsPerByte;
  private final Estimates estimates;
  private final ValueSample sample = new ValueSample();

  /**
   * @param encodings raw values first
   * @param statistics of the streams that are chosen for
   */
  Chooser(ColumnarOptions options, List<Encoding> encodings, Statistics statistics) {
    this.previews = !options.compressesPlanes();
    this.encodings = encodings;
    this.statistics = statistics;
    this.nsPerByte = options.nsPerByte();
    double tailNs = options.hasTail() ? TAIL_NS_PER_BYTE : 0;
    this.estimates = new Estimates(nsPerByte + tailNs, previews ? WRITING : 0, statistics);
  }

  /** Whether a short stream is such that LZ4 is tried before anything else is looked at. */
  boolean mostlyRecurs(Values values) {
    long rawBytes = (long) values.count() * values.rawWidth();
    if (!previews || values.count() < MIN_SAMPLED || rawBytes > MAX_TRIED_BYTES) {
      return false;
    }
    sample.take(values);
    return sample.recurring(values.rawWidth()) >= MOSTLY;
  }

  /**
   * Whether an encoding costs no more than to send what packing would leave of values that mostly
   * recur, and nothing else is likely to be much shorter.
   */
  boolean isBest(Encoding encoding, int bytes, Values values) {
    double ns =
        values.count() * encoding.nsPerValue(values.kind(), values.rawWidth())
            + encoding.nsPerStream()
            + bytes * (nsPerByte + encoding.nsPerWrittenByte());
    double packedBits = Math.min(sample.plainBits(0), sample.plainBits(1));
    return (long) VERY_SHORT * bytes > (long) values.count() * values.rawWidth()
        && ns <= nsPerByte * packedBits * values.count() / Byte.SIZE;
  }

  /**
   * Notes what a few values of a stream show, so that not all have to be read to choose. Nothing of
   * a short stream, and on a slow link.
   */
  void preview(Values values, Facts facts) {
    if (previews && Statistics.isWorthSample(values.count())) {
      statistics.scanSample(values);
      if (statistics.isConstant() && facts.hasTried()) {
        return; // They are almost constant, but not all that were left out.
      }
      facts.note(estimate(values, facts, false), values.count(), statistics.runs());
      facts.freeze();
    }
  }

  /**
   * Chooses for a stream, which it scans for what is sought.
   *
   * @param facts what is known of the values by sample, or where to note it
   * @return the encodings that are worth a try, best first; the last is always raw values
   */
  List<Choice> choose(Values values, Facts facts) {
    int sought = facts.sought();
    statistics.scan(values, Math.max(Statistics.VALUES, sought));
    List<Choice> choices = estimate(values, facts, false);
    if (sought != Statistics.ALL && facts.isSurprising(choices.get(0).bytes(), values.count())) {
      statistics.scan(values);
      return estimate(values, facts, false);
    }
    facts.note(choices, values.count(), statistics.runs());
    return choices;
  }

  /** Whether bytes count so much that what was written is compared with what else there is. */
  boolean compares(Facts facts) {
    return !previews && !facts.isFrozen();
  }

  /** Chooses once more, for values of which it is known what became of them in some encodings. */
  List<Choice> chooseAgain(Values values, Facts facts) {
    List<Choice> choices = estimate(values, facts, false);
    facts.note(choices, values.count(), statistics.runs());
    return choices;
  }

  /** Takes a sample, notes what it tells, and estimates every encoding that may suit. */
  List<Choice> estimateAll(Values values, Facts facts) {
    statistics.scan(values);
    estimate(values, facts, true);
    return estimates.all();
  }

  /**
   * @param all whether to ask the sample about encodings that cannot be the best, too
   * @return up to raw values, best first
   */
  private List<Choice> estimate(Values values, Facts facts, boolean all) {
    boolean sampled = values.count() >= MIN_SAMPLED;
    boolean learns = sampled && !facts.isFrozen() && (all || !statistics.isConstant());
    if (learns) {
      sample.take(values);
    }
    estimates.begin(values, facts, sampled);
    for (Encoding encoding : encodings) {
      if (learns && (all || estimates.mayBeBest(encoding, sample))) {
        facts.learn(encoding, sample, values);
      }
      encoding.estimate(estimates);
      if (estimates.isClosed()) {
        break;
      }
    }
    return estimates.upTo(encodings.get(0));
  }
}
