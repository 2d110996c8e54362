package io.drayage.cli.compare;

import io.drayage.bench.result.Run;
import io.drayage.bench.result.Status;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * The last line: how far up the ladder leads, which rung brings most, and whether all went well.
 */
final class LadderVerdict {
  private LadderVerdict() {}

  static String of(List<RungSummary> rungs, List<Run> runs) {
    return top(rungs) + mostGain(rungs) + ", " + health(rungs, runs);
  }

  private static String top(List<RungSummary> rungs) {
    return rungs.stream()
        .filter(rung -> rung.isOk() && rung.sqSpeedup() != null)
        .max(Comparator.comparing(rung -> Objects.requireNonNull(rung.sqSpeedup())))
        .map(
            rung ->
                String.format(
                    Locale.ROOT,
                    "%s is %.1fx as fast as %s (S+Q %.3f s)",
                    rung.name(),
                    rung.sqSpeedup(),
                    rungs.get(0).name(),
                    rung.sqMedianS()))
        .orElse("no rung can be compared with " + rungs.get(0).name());
  }

  private static String mostGain(List<RungSummary> rungs) {
    return rungs.stream()
        .filter(rung -> rung.isOk() && rung.gain() != null)
        .max(Comparator.comparing(rung -> Objects.requireNonNull(rung.gain())))
        .map(
            rung ->
                String.format(
                    Locale.ROOT, ", the largest step is '%s' (%.2fx)", rung.change(), rung.gain()))
        .orElse("");
  }

  private static String health(List<RungSummary> rungs, List<Run> runs) {
    long ok = runs.stream().filter(run -> run.status() == Status.OK).count();
    long skipped = rungs.stream().filter(RungSummary::isSkipped).count();
    String counts =
        "%d of %d runs ok%s"
            .formatted(
                ok, runs.size(), skipped == 0 ? "" : ", %d rungs skipped".formatted(skipped));
    if (runs.stream().anyMatch(run -> Boolean.FALSE.equals(run.digestOk()))) {
      return counts + ", digests differ";
    }
    return ok == runs.size() ? counts + ", digests equal" : counts;
  }
}
