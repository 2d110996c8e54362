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

  private final List<Encoding> encodings;
  private final Statistics statistics;
  private final Estimates estimates;
  private final ValueSample sample = new ValueSample();

  /**
   * @param encodings raw values first
   * @param statistics of the streams that are chosen for
   */
  Chooser(ColumnarOptions options, List<Encoding> encodings, Statistics statistics) {
    this.encodings = encodings;
    this.statistics = statistics;
    double tailNs = options.hasTail() ? TAIL_NS_PER_BYTE : 0;
    this.estimates = new Estimates(options.nsPerByte() + tailNs, statistics);
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
    List<Choice> choices = estimate(values, facts);
    if (sought != Statistics.ALL && facts.isSurprising(choices.get(0).bytes(), values.count())) {
      statistics.scan(values);
      return estimate(values, facts);
    }
    facts.note(choices, values.count(), statistics.runs());
    return choices;
  }

  private List<Choice> estimate(Values values, Facts facts) {
    boolean sampled = values.count() >= MIN_SAMPLED;
    if (sampled && !statistics.isConstant() && !facts.isKnown()) {
      learn(values, facts);
    }
    estimates.begin(values, facts, sampled);
    for (Encoding encoding : encodings) {
      encoding.estimate(estimates);
      if (estimates.isClosed()) {
        break;
      }
    }
    return estimates.upTo(encodings.get(0));
  }

  /** Takes a sample, notes what it tells, and estimates every encoding that may suit. */
  List<Choice> estimateAll(Values values, Facts facts) {
    statistics.scan(values);
    learn(values, facts);
    estimate(values, facts);
    return estimates.all();
  }

  private void learn(Values values, Facts facts) {
    sample.take(values);
    facts.learn(encodings, sample, values);
  }
}
