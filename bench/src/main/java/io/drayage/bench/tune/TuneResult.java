package io.drayage.bench.tune;

import io.drayage.bench.environment.Environment;
import io.drayage.bench.link.LinkFacts;
import io.drayage.bench.result.KeptResult;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The settings that were measured, as written to JSON.
 *
 * @param schema the version of this form, {@link #SCHEMA}
 * @param environment the machine, the build and the libraries
 * @param config what was asked for, and what was tried
 * @param recommendation what to use; null if no setting succeeded
 * @param summary one for each setting that was tried, codec by codec
 */
public record TuneResult(
    int schema,
    Environment environment,
    Config config,
    @Nullable Recommendation recommendation,
    List<Row> summary)
    implements KeptResult {
  /** The version of this form. */
  public static final int SCHEMA = 1;

  /**
   * What was asked for, and what was tried.
   *
   * @param tookS how long that took
   */
  public record Config(
      @Nullable String size,
      @Nullable Long sizeBytes,
      String cargo,
      String cargoDescription,
      long seed,
      List<String> codecs,
      Grid grid,
      boolean sweep,
      String link,
      LinkFacts linkFacts,
      int cores,
      double tookS,
      List<String> workerJvmOptions,
      List<String> transactorJvmOptions) {}

  /**
   * What to use.
   *
   * @param settings as they stand in the file
   * @param medianS median of S+Q
   * @param overUntuned how many times as fast as the same codec with its defaults
   * @param overNext how many times as fast as the choice of the best other codec; null if there is
   *     none
   * @param toldApart whether the intervals of that codec and this do not overlap
   * @param why what binds
   */
  public record Recommendation(
      Map<String, String> settings,
      double medianS,
      double overUntuned,
      @Nullable Double overNext,
      boolean toldApart,
      String why) {}

  /**
   * One setting.
   *
   * @param samplesS seconds of S+Q of each run, in their order
   * @param lowS lower end of the interval of the median
   * @param highS its upper end
   * @param rounds in how many rounds it was measured
   * @param chosen whether it is the choice for its codec
   */
  public record Row(
      String serializer,
      String compressor,
      int workerThreads,
      int transactorThreads,
      int segmentBytes,
      int connections,
      List<Double> samplesS,
      @Nullable Double medianS,
      @Nullable Double lowS,
      @Nullable Double highS,
      @Nullable Double rawMBps,
      int rounds,
      boolean chosen,
      @Nullable String error) {}

  @Override
  public boolean allOk() {
    return summary.stream().allMatch(row -> row.error() == null);
  }
}
