package io.drayage.bench.codecs;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.drayage.bench.statistics.Medians;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The times of one combination for the cargo, as written to JSON: all parts without a level of
 * their own. Null is not measured.
 *
 * @param timesS every measured cargo, in the order in which they ran, in seconds; none if a process
 *     failed, which loses all of them
 */
public record TimingRow(
    @JsonUnwrapped Combination combination,
    List<Double> timesS,
    @JsonUnwrapped Scores scores,
    @JsonUnwrapped Volume volume,
    @Nullable String error)
    implements CodecRow {
  /**
   * Figures relative to other rows, by the medians.
   *
   * @param score the time relative to java+none
   * @param publishedScore the published score
   * @param ofCopy the speed relative to a plain copy of the same pages, for segments
   * @param ofOneThread the speed relative to one codec thread
   */
  public record Scores(
      @Nullable Double score,
      @Nullable Double publishedScore,
      @Nullable Double ofCopy,
      @Nullable Double ofOneThread) {
    static final Scores NONE = new Scores(null, null, null, null);
  }

  /**
   * The volume of one cargo.
   *
   * @param bytes bytes that serializer and compressor make of it
   * @param allocBytes bytes that it allocates on the heap, after all others
   * @param allocBytesPerSegment these bytes for each segment
   */
  public record Volume(
      @Nullable Long rawBytes,
      @Nullable Long bytes,
      @Nullable Long allocBytes,
      @Nullable Long allocBytesPerSegment) {
    static final Volume UNKNOWN = new Volume(null, null, null, null);
  }

  static TimingRow failed(Combination combination, String error) {
    return new TimingRow(combination, List.of(), Scores.NONE, Volume.UNKNOWN, error);
  }

  /** Adds the times of earlier processes; a failure loses them. */
  TimingRow after(TimingRow before) {
    List<Double> allS = Stream.concat(before.timesS.stream(), timesS.stream()).toList();
    return error == null ? new TimingRow(combination, allS, scores, volume, null) : this;
  }

  @JsonProperty
  public @Nullable Double medianS() {
    return Medians.of(timesS);
  }

  @JsonProperty
  public @Nullable Double minS() {
    return timesS.isEmpty() ? null : Collections.min(timesS);
  }

  @JsonProperty
  public @Nullable Double maxS() {
    return timesS.isEmpty() ? null : Collections.max(timesS);
  }

  /** Raw bytes per second of the median, in MB/s (10^6). */
  @JsonProperty
  public @Nullable Double rawMBps() {
    Double medianS = medianS();
    Long rawBytes = volume.rawBytes;
    return medianS == null || rawBytes == null ? null : (Double) (rawBytes / medianS / 1e6);
  }

  /** Adds the figures relative to other rows. */
  TimingRow comparedWith(Map<Combination, TimingRow> rows, @Nullable Double publishedScore) {
    Scores compared =
        new Scores(
            ratio(TimingRow::medianS, rows.get(Combination.JAVA)),
            publishedScore,
            combination.form() == Form.SEGMENTS
                ? ratio(TimingRow::rawMBps, rows.get(Combination.COPY))
                : null,
            combination.threads() == null
                ? null
                : ratio(TimingRow::rawMBps, rows.get(combination.onThreads(1))));
    return new TimingRow(combination, timesS, compared, volume, error);
  }

  private @Nullable Double ratio(
      Function<TimingRow, @Nullable Double> figure, @Nullable TimingRow of) {
    Double value = figure.apply(this);
    Double reference = of == null ? null : figure.apply(of);
    return value == null || reference == null ? null : (Double) (value / reference);
  }
}
