package io.drayage.columnar;

import io.drayage.columnar.stream.Analysis;
import io.drayage.columnar.stream.Encoding;
import io.drayage.columnar.stream.Estimate;
import io.drayage.columnar.stream.Scheme;
import io.drayage.columnar.stream.Values;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The estimates of values in every encoding, even in encodings that are no candidates. */
final class Estimates {
  private final double nsPerByte;
  private final List<Encoding> encodings;
  private final Analysis analysis;
  private final Map<Encoding, Estimate> estimates = new HashMap<>();

  Estimates(ColumnarOptions options, List<Encoding> encodings) {
    this.nsPerByte = options.nsPerByte();
    this.encodings = encodings;
    this.analysis = new Analysis(nsPerByte);
  }

  /** Estimates all encodings, as far as there are enough values. */
  Estimates of(Values values) {
    analysis.begin(values, false);
    estimates.clear();
    for (Encoding encoding : encodings) {
      boolean isEstimated = analysis.isSampled() || encoding.estimateNs(1, 1) == 0;
      Estimate estimate = isEstimated ? encoding.estimate(analysis) : null;
      if (estimate != null) {
        estimates.put(encoding, estimate);
        if (estimate.moreNs() == 0 && !encoding.costs().isCompression()) {
          analysis.note(estimate.bytes());
        }
      }
    }
    return this;
  }

  /** Returns the scheme of the values in an encoding. */
  Scheme scheme(Encoding encoding) {
    Estimate of = estimates.getOrDefault(encoding, Estimate.of(0));
    return new Scheme(
        encoding.id(),
        encoding.name(),
        of.parameter(),
        of.width(),
        analysis.count(),
        (int) Math.min(Integer.MAX_VALUE, of.bytes()),
        List.of());
  }

  /** The estimated cost of an encoding; infinite if it does not suit. */
  double ns(Encoding encoding) {
    Estimate of = estimates.get(encoding);
    if (of == null) {
      return Double.POSITIVE_INFINITY;
    }
    int rawWidth = analysis.values().rawWidth();
    return of.bytes() * (nsPerByte + encoding.costs().byteNs())
        + analysis.count() * encoding.costs().ofValue(rawWidth)
        + encoding.streamNs()
        + of.moreNs();
  }
}
