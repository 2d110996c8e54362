package io.drayage.bench.profile;

import io.drayage.bench.environment.Environment;
import io.drayage.bench.result.Result;
import io.drayage.bench.result.Run;
import io.drayage.bench.result.Status;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a session showed.
 *
 * @param systems by their names
 * @param profiler how each event is sampled, for people
 * @param config the options and what was chosen
 * @param runs every iteration without a recording, failed ones too
 * @param recordedRuns every iteration with one
 * @param experimentRuns every iteration of an experiment
 * @param overhead what recording cost, one for each system
 * @param ends what each recording has
 * @param suspects system after system
 * @param experiments what each experiment showed
 * @param topFrames the frames with most processor time, end after end
 * @param graphs all flame graphs
 */
public record ProfileResult(
    List<String> systems,
    List<String> profiler,
    Map<String, @Nullable Object> config,
    List<Run> runs,
    List<Run> recordedRuns,
    List<Run> experimentRuns,
    List<Overhead> overhead,
    List<ProfiledEnd> ends,
    List<SuspectRow> suspects,
    List<Outcome> experiments,
    List<TopFrame> topFrames,
    List<Graph> graphs) {
  /** As it is written to JSON. */
  public Result<SuspectRow> toJson() {
    boolean allOk = failed().findAny().isEmpty();
    return Result.of(Environment.capture(), config, runs, suspects, allOk)
        .with("recordedRuns", recordedRuns)
        .with("experimentRuns", experimentRuns)
        .with("overhead", overhead)
        .with("recordings", ends.stream().map(ProfiledEnd::row).toList())
        .with("experiments", experiments)
        .with("topFrames", topFrames)
        .with("graphs", graphs);
  }

  List<SuspectRow> suspectsOf(String system) {
    return suspects.stream().filter(row -> row.system().equals(system)).toList();
  }

  public Stream<Run> failed() {
    return Stream.of(runs, recordedRuns, experimentRuns)
        .flatMap(List::stream)
        .filter(run -> run.status() == Status.FAILED);
  }
}
