package io.drayage.bench.codecs;

import io.drayage.bench.codecs.work.WorkFacts;
import io.drayage.bench.result.Status;
import io.drayage.bench.statistics.Medians;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How long one combination takes for the cargo. Jackson writes it as it is. What was not measured
 * is null.
 *
 * @param level of the compressor; null for its default
 * @param threads codec threads of the sender that its segments pass through; null if they pass
 *     through none, on the calling thread alone
 * @param status {@link Status#FAILED} if a process failed, which all of it is then lost with
 * @param medianS median over all measured cargoes, in seconds
 * @param rawMBps raw bytes per second of the median, in MB/s (10^6)
 * @param score how many times as long as java+none, by the medians
 * @param publishedScore the same as the study published it
 * @param ofCopy how many times as fast as a plain copy of the same pages, for segments
 * @param ofOneThread how many times as fast as the same with one codec thread
 * @param bytes what serializer and compressor make of the cargo
 * @param allocBytes what one cargo allocates on the heap
 * @param allocBytesPerSegment the same for each segment
 * @param timesS every measured cargo, in the order in which they ran
 * @param error why it failed
 */
record TimingRow(
    String serializer,
    String compressor,
    @Nullable Integer level,
    Form form,
    @Nullable Integer threads,
    Status status,
    @Nullable Double medianS,
    @Nullable Double minS,
    @Nullable Double maxS,
    @Nullable Double rawMBps,
    @Nullable Double score,
    @Nullable Double publishedScore,
    @Nullable Double ofCopy,
    @Nullable Double ofOneThread,
    @Nullable Long rawBytes,
    @Nullable Long bytes,
    @Nullable Long allocBytes,
    @Nullable Long allocBytesPerSegment,
    List<Double> timesS,
    @Nullable String error)
    implements MeasuredRow {

  static TimingRow of(
      Combination combination,
      List<Double> timesS,
      WorkFacts facts,
      @Nullable Double publishedScore) {
    Double median = Medians.of(timesS);
    return new TimingRow(
        combination.serializer(),
        combination.compressor(),
        combination.level(),
        combination.form(),
        combination.threads(),
        Status.OK,
        median,
        Collections.min(timesS),
        Collections.max(timesS),
        median == null ? null : facts.rawBytes() / median / 1e6,
        null,
        publishedScore,
        null,
        null,
        facts.rawBytes(),
        facts.encodedBytes(),
        facts.allocatedBytes(),
        facts.segments() == 0 ? null : facts.allocatedBytes() / facts.segments(),
        List.copyOf(timesS),
        null);
  }

  static TimingRow failed(Combination combination, @Nullable Double publishedScore, String error) {
    return new TimingRow(
        combination.serializer(),
        combination.compressor(),
        combination.level(),
        combination.form(),
        combination.threads(),
        Status.FAILED,
        null,
        null,
        null,
        null,
        null,
        null,
        publishedScore,
        null,
        null,
        null,
        null,
        null,
        List.of(),
        error);
  }

  /**
   * The same with what follows from other rows.
   *
   * @param baseline java+none as a stream; null if it has no result
   * @param copy the plain copy; null if it has no result
   * @param oneThread the same with one codec thread; null if there is none with a result
   */
  TimingRow comparedWith(
      @Nullable TimingRow baseline, @Nullable TimingRow copy, @Nullable TimingRow oneThread) {
    return new TimingRow(
        serializer,
        compressor,
        level,
        form,
        threads,
        status,
        medianS,
        minS,
        maxS,
        rawMBps,
        baseline == null ? null : ratio(medianS, baseline.medianS),
        publishedScore,
        copy == null || form != Form.SEGMENTS ? null : ratio(rawMBps, copy.rawMBps),
        oneThread == null ? null : ratio(rawMBps, oneThread.rawMBps),
        rawBytes,
        bytes,
        allocBytes,
        allocBytesPerSegment,
        timesS,
        error);
  }

  private static @Nullable Double ratio(@Nullable Double value, @Nullable Double of) {
    return value == null || of == null ? null : (Double) (value / of);
  }
}
