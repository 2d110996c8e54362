package io.drayage.columnar;

import io.drayage.columnar.stream.Analysis;
import io.drayage.columnar.stream.Costs;
import io.drayage.columnar.stream.Encoding;
import io.drayage.columnar.stream.Estimate;
import io.drayage.columnar.stream.Scheme;
import io.drayage.columnar.stream.Values;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the encoding of a stream: the candidate with the lowest cost, where
 *
 * <pre>cost = bytes / rate + the time to write and to read them</pre>
 *
 * The bytes are estimated from a sample, and known once a stream has been written. The times are
 * the {@link Costs}. A candidate is estimated only if it could be the best, and if that could save
 * more than the estimate costs. The same values and options always lead to the same choice. Not
 * thread-safe.
 */
final class Chooser {
  /** The index of the encoding of equal values, which is the best for them. */
  private static final int CONSTANT = 1;

  /** A longer stream is sampled before anything is written. */
  private static final int MAX_WRITTEN_FIRST_BYTES = 64 << 10;

  /** Minimum share of recurring values in a sample for which few encodings are as fast as LZ4. */
  private static final double MOSTLY = 0.75;

  /** The factor of shortening by LZ4 beyond which other encodings are likely to be shorter. */
  private static final int VERY_SHORT = 8;

  /** The share of writing in the time of writing and reading. */
  private static final double WRITING_SHARE = 0.5;

  private final boolean comparesWritten;
  private final double slack;
  private final double nsPerByte;
  private final List<Encoding> candidates;
  private final Analysis analysis;
  private final boolean[] isEstimated;
  private final @Nullable Estimate[] estimates;

  /** The written bytes for each candidate; 0 if it was not written. */
  private final double[] writtenBytes;

  /** The lowest cost so far. */
  private double leastNs;

  /** Whether estimates cost nothing, because many streams will be written by their result. */
  private boolean isFirstOfMany;

  /**
   * @param candidates raw values first, equal values second; of equal costs, the first is chosen
   */
  Chooser(ColumnarOptions options, List<Encoding> candidates) {
    this.comparesWritten = options.comparesWritten();
    this.slack = options.slack();
    this.nsPerByte = options.nsPerByte();
    this.candidates = candidates;
    this.analysis = new Analysis(nsPerByte);
    this.isEstimated = new boolean[candidates.size()];
    this.estimates = new Estimate[candidates.size()];
    this.writtenBytes = new double[candidates.size()];
  }

  /** Sets whether many streams will be written like the next ones: estimates then cost nothing. */
  void setFirstOfMany(boolean isFirst) {
    isFirstOfMany = isFirst;
  }

  /** Begins with another stream, of at least one value. */
  void begin(Values values) {
    begin(values, true);
  }

  private void begin(Values values, boolean sampled) {
    analysis.begin(values, sampled);
    Arrays.fill(isEstimated, false);
    Arrays.fill(estimates, null);
    Arrays.fill(writtenBytes, 0);
    leastNs = Double.MAX_VALUE;
  }

  /** Returns the candidate with the lowest cost, by estimate or by its written bytes. */
  Encoding best() {
    for (int c = 0; c < candidates.size(); c++) {
      if (!isEstimated[c] && mayBeBest(candidates.get(c))) {
        estimate(c);
      }
      if (c == CONSTANT && estimates[c] != null && writtenBytes[c] < Double.POSITIVE_INFINITY) {
        return candidates.get(c);
      }
    }
    int best = 0;
    for (int c = 1; c < candidates.size(); c++) {
      best = ns(c) < ns(best) ? c : best;
    }
    return candidates.get(best);
  }

  /** Whether a candidate would be the best so far if it produced its minimum of bytes. */
  private boolean mayBeBest(Encoding encoding) {
    int count = analysis.count();
    int rawWidth = analysis.values().rawWidth();
    double estimateNs = encoding.estimateNs(count, rawWidth);
    if (estimateNs == 0) {
      return true;
    }
    if (!analysis.isSampled()) {
      return false;
    }
    double ns = count * encoding.costs().ofValue(rawWidth) + encoding.streamNs();
    ns += isFirstOfMany ? 0 : estimateNs;
    return ns < leastNs && ns + perByte(encoding) * encoding.leastBytes(analysis) < leastNs;
  }

  private void estimate(int c) {
    isEstimated[c] = true;
    Encoding encoding = candidates.get(c);
    Estimate estimate = encoding.estimate(analysis);
    estimates[c] = estimate;
    if (estimate != null) {
      leastNs = Math.min(leastNs, ns(c));
      if (estimate.moreNs() == 0 && !encoding.costs().isCompression()) {
        analysis.note(estimate.bytes());
      }
    }
  }

  private double perByte(Encoding encoding) {
    return nsPerByte + encoding.costs().byteNs();
  }

  /** Returns the cost of a candidate, without the time of writing if it was written already. */
  private double ns(int c) {
    Estimate estimate = estimates[c];
    double written = writtenBytes[c];
    if (written == 0 && estimate == null) {
      return Double.POSITIVE_INFINITY;
    }
    Encoding encoding = candidates.get(c);
    double codingNs =
        analysis.count() * encoding.costs().ofValue(analysis.values().rawWidth())
            + encoding.streamNs()
            + (estimate == null ? 0 : estimate.moreNs());
    double bytes = written > 0 || estimate == null ? written : estimate.bytes();
    boolean isSpent = written > 0 && !comparesWritten;
    return bytes * perByte(encoding) + (isSpent ? 1 - WRITING_SHARE : 1) * codingNs;
  }

  /** Returns the scheme of a candidate, with the parameters of its estimate. */
  Scheme scheme(Encoding encoding) {
    Estimate of = estimates[candidates.indexOf(encoding)];
    Estimate estimate = of == null ? Estimate.of(0) : of;
    return new Scheme(
        encoding.id(),
        encoding.name(),
        estimate.parameter(),
        estimate.width(),
        analysis.count(),
        (int) Math.min(Integer.MAX_VALUE, estimate.bytes()),
        List.of());
  }

  /**
   * Notes the result of writing the stream as a candidate, which replaces the estimate.
   *
   * @param written null if the values did not suit, or needed too many bytes
   */
  void note(Encoding encoding, @Nullable Scheme written) {
    int c = candidates.indexOf(encoding);
    if (written == null && analysis.ranges().isConstant()) {
      // The sample is constant, the stream is not.
      begin(analysis.values(), false);
    }
    isEstimated[c] = true;
    writtenBytes[c] = written == null ? Double.POSITIVE_INFINITY : slack * written.bytes();
    leastNs = Double.MAX_VALUE;
    for (int other = 0; other < candidates.size(); other++) {
      leastNs = Math.min(leastNs, ns(other));
    }
  }

  /** Whether the stream is so short, and so many values recur, that LZ4 is tried first. */
  boolean mostlyRecurs() {
    Values values = analysis.values();
    long rawBytes = (long) values.count() * values.rawWidth();
    return analysis.isSampled()
        && rawBytes <= MAX_WRITTEN_FIRST_BYTES
        && analysis.sample().recurring(values.rawWidth()) >= MOSTLY;
  }

  /** Uses LZ4's result for such a stream as its estimate; null if it did not become shorter. */
  void noteEstimate(Encoding lz4, @Nullable Scheme written) {
    int c = candidates.indexOf(lz4);
    isEstimated[c] = true;
    estimates[c] = written == null ? null : Estimate.of(written.bytes());
  }

  /**
   * Whether LZ4's result for such a stream costs no more than the bytes of packed values would, and
   * no other encoding is likely to be much shorter.
   */
  boolean isGoodEnough(Encoding lz4, Scheme written) {
    Values values = analysis.values();
    double ns =
        values.count() * lz4.costs().ofValue(values.rawWidth())
            + lz4.streamNs()
            + written.bytes() * perByte(lz4);
    double packedBits = Math.min(analysis.sample().plainBits(0), analysis.sample().plainBits(1));
    return (long) VERY_SHORT * written.bytes() > (long) values.count() * values.rawWidth()
        && ns <= nsPerByte * packedBits * values.count() / Byte.SIZE;
  }

  /** Whether a written candidate is compared with all others, even if its estimate was right. */
  boolean comparesWritten() {
    return comparesWritten;
  }
}
