package io.drayage.bench.codecs;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.drayage.bench.codecs.work.Combination;
import io.drayage.bench.codecs.work.Form;
import io.drayage.bench.codecs.work.WorkFacts;
import io.drayage.bench.result.Status;
import io.drayage.bench.statistics.Medians;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How long one combination takes for the cargo, as written to JSON: all parts without a level of
 * their own. What was not measured is null.
 *
 * @param status {@link Status#FAILED} if a process failed, which loses all of them
 * @param timesS every measured cargo, in the order in which they ran, in seconds
 * @param error why it failed
 */
public record TimingRow(
    @JsonUnwrapped Combination combination,
    Status status,
    @JsonUnwrapped Times times,
    @JsonUnwrapped Scores scores,
    @JsonUnwrapped Volume volume,
    List<Double> timesS,
    @Nullable String error)
    implements CodecResult.Row {
  /**
   * Of all measured cargoes.
   *
   * @param rawMBps raw bytes per second of the median, in MB/s (10^6)
   */
  public record Times(
      @Nullable Double medianS,
      @Nullable Double minS,
      @Nullable Double maxS,
      @Nullable Double rawMBps) {}

  /**
   * What follows from other rows, by the medians.
   *
   * @param score how many times as long as java+none
   * @param publishedScore the same as the study published it
   * @param ofCopy how many times as fast as a plain copy of the same pages, for segments
   * @param ofOneThread how many times as fast as the same with one codec thread
   */
  public record Scores(
      @Nullable Double score,
      @Nullable Double publishedScore,
      @Nullable Double ofCopy,
      @Nullable Double ofOneThread) {}

  /**
   * Of one cargo.
   *
   * @param bytes what serializer and compressor make of it
   * @param allocBytes what it allocates on the heap
   * @param allocBytesPerSegment the same for each segment
   */
  public record Volume(
      @Nullable Long rawBytes,
      @Nullable Long bytes,
      @Nullable Long allocBytes,
      @Nullable Long allocBytesPerSegment) {}

  static TimingRow of(
      Combination combination,
      List<Double> timesS,
      WorkFacts facts,
      @Nullable Double publishedScore) {
    Double median = Medians.of(timesS);
    return new TimingRow(
        combination,
        Status.OK,
        new Times(
            median,
            Collections.min(timesS),
            Collections.max(timesS),
            median == null ? null : facts.rawBytes() / median / 1e6),
        new Scores(null, publishedScore, null, null),
        new Volume(
            facts.rawBytes(),
            facts.encodedBytes(),
            facts.allocatedBytes(),
            facts.segments() == 0 ? null : facts.allocatedBytes() / facts.segments()),
        List.copyOf(timesS),
        null);
  }

  static TimingRow failed(Combination combination, @Nullable Double publishedScore, String error) {
    return new TimingRow(
        combination,
        Status.FAILED,
        new Times(null, null, null, null),
        new Scores(null, publishedScore, null, null),
        new Volume(null, null, null, null),
        List.of(),
        error);
  }

  /**
   * Adds what follows from other rows.
   *
   * @param baseline java+none as a stream; null if it has no result
   * @param copy the plain copy; null if it has no result
   * @param oneThread the same with one codec thread; null if there is none with a result
   */
  TimingRow comparedWith(
      @Nullable TimingRow baseline, @Nullable TimingRow copy, @Nullable TimingRow oneThread) {
    Scores compared =
        new Scores(
            baseline == null ? null : ratio(times.medianS, baseline.times.medianS),
            scores.publishedScore,
            copy == null || combination.form() != Form.SEGMENTS
                ? null
                : ratio(times.rawMBps, copy.times.rawMBps),
            oneThread == null ? null : ratio(times.rawMBps, oneThread.times.rawMBps));
    return new TimingRow(combination, status, times, compared, volume, timesS, error);
  }

  private static @Nullable Double ratio(@Nullable Double value, @Nullable Double of) {
    return value == null || of == null ? null : (Double) (value / of);
  }
}
