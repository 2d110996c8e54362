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
 * The result of a session.
 *
 * @param systems by their names
 * @param profiler how each event is sampled, for people
 * @param config the options and the rig's choices
 * @param runs every iteration without a recording, failed ones too
 * @param recordedRuns every iteration with a recording
 * @param experimentRuns every iteration of an experiment
 * @param overhead of recording, one for each system
 * @param ends the content of each recording
 * @param suspects system after system
 * @param experiments the outcome of each experiment
 * @param topFrames the frames with most CPU time, end after end
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
  /** Returns the result in the form of its JSON. */
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
