package io.drayage.bench.profile;

import io.drayage.bench.environment.Environment;
import io.drayage.bench.link.LinkFacts;
import io.drayage.bench.result.KeptResult;
import io.drayage.bench.result.Run;
import io.drayage.bench.result.Status;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The result of a session. Serialized by Jackson.
 *
 * @param schema the version of this form, {@link #SCHEMA}
 * @param environment the machine, the build and the libraries
 * @param config the options and what was chosen
 * @param runs every iteration without a recording, failed ones too
 * @param recordedRuns every iteration with one
 * @param experimentRuns every iteration of an experiment
 * @param overhead what recording cost, one for each system
 * @param recordings the content of each recording
 * @param summary the suspects, system after system
 * @param experiments what each experiment showed
 * @param topFrames the frames with most processor time, end after end
 * @param timelines of the last recorded iteration, one for each system
 * @param graphs all flame graphs
 */
public record ProfileResult(
    int schema,
    Environment environment,
    Config config,
    List<Run> runs,
    List<Run> recordedRuns,
    List<Run> experimentRuns,
    List<Overhead> overhead,
    List<RecordingSummary> recordings,
    List<SuspectRow> summary,
    List<Outcome> experiments,
    List<TopFrame> topFrames,
    List<Timeline> timelines,
    List<Graph> graphs)
    implements KeptResult {
  /** The version of this form. */
  static final int SCHEMA = 1;

  /**
   * The options and what was chosen.
   *
   * @param sizeBytes the requested size; null if the cargo does not depend on it
   * @param profiler what was used for each event, in lines
   * @param link what lies between the two processes
   * @param linkFacts its properties
   */
  record Config(
      @Nullable Long sizeBytes,
      @Nullable Long experimentSizeBytes,
      String cargo,
      String cargoDescription,
      long seed,
      List<String> systems,
      String baseline,
      List<String> events,
      List<String> profiler,
      int iterations,
      int warmup,
      int experimentTurns,
      int experimentWarmup,
      String link,
      LinkFacts linkFacts) {}

  /**
   * The content of one recording, within S+Q.
   *
   * @param file beside the page
   * @param iterations how many shipments it has
   * @param cpuSamples samples of the processor
   * @param cpuS processor time an iteration
   * @param waitingS how long threads that take part waited, summed over them and all iterations
   * @param unknownCpu the part of the processor's samples that no rule knows
   * @param unknownWaiting the part of the waiting that no rule knows
   * @param segments events {@code io.drayage.Segment}
   * @param creditStalls events {@code io.drayage.CreditStall}
   * @param queueDepths events {@code io.drayage.QueueDepth}
   * @param collections collections of garbage
   */
  record RecordingSummary(
      String system,
      String side,
      String file,
      int iterations,
      long cpuSamples,
      double cpuS,
      double waitingS,
      double unknownCpu,
      double unknownWaiting,
      long segments,
      long creditStalls,
      long queueDepths,
      int collections) {}

  /** The suspects of one system. */
  List<SuspectRow> suspectsOf(String system) {
    return summary.stream().filter(row -> row.system().equals(system)).toList();
  }

  @Override
  public boolean allOk() {
    return allRuns().allMatch(run -> run.status() == Status.OK);
  }

  /** Every iteration. */
  public Stream<Run> allRuns() {
    return Stream.of(runs, recordedRuns, experimentRuns).flatMap(List::stream);
  }
}
