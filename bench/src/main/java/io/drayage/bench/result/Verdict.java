package io.drayage.bench.result;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/** The last line: which system is the fastest, by how much, and whether all went well. */
public final class Verdict {
  private Verdict() {}

  /**
   * The line.
   *
   * @param baseline one of the systems of {@code summaries}
   */
  public static String of(List<Summary> summaries, String baseline, List<Run> runs) {
    return speed(summaries, baseline) + ", " + health(runs);
  }

  private static String speed(List<Summary> summaries, String baseline) {
    Summary base =
        summaries.stream().filter(s -> s.system().equals(baseline)).findFirst().orElseThrow();
    Summary fastest =
        summaries.stream()
            .filter(s -> s.status() == Status.OK && s.sqMedianS() != null)
            .min(Comparator.comparing(s -> Objects.requireNonNull(s.sqMedianS())))
            .orElse(null);
    if (fastest == null) {
      return "no system went well";
    }
    String figures = String.format(Locale.ROOT, "S+Q %.2f s", fastest.sqMedianS());
    String rate = String.format(Locale.ROOT, "%.0f MB/s", fastest.rawMBps());
    if (fastest.sqSpeedup() == null) {
      return "%s is the fastest (%s, %s), but the baseline %s failed"
          .formatted(fastest.system(), figures, rate, baseline);
    }
    if (fastest.system().equals(baseline)) {
      return summaries.size() == 1
          ? "%s: %s, %s".formatted(baseline, figures, rate)
          : "the baseline %s is the fastest (%s, %s)".formatted(baseline, figures, rate);
    }
    return String.format(
        Locale.ROOT,
        "%s is %.1fx as fast as %s (%s against %.2f s, %s)",
        fastest.system(),
        fastest.sqSpeedup(),
        baseline,
        figures,
        base.sqMedianS(),
        rate);
  }

  private static String health(List<Run> runs) {
    long ok = runs.stream().filter(run -> run.status() == Status.OK).count();
    boolean digestsDiffer = runs.stream().anyMatch(run -> Boolean.FALSE.equals(run.digestOk()));
    String counts = "%d of %d runs ok".formatted(ok, runs.size());
    if (digestsDiffer) {
      return counts + ", digests differ";
    }
    return ok == runs.size() ? counts + ", digests equal" : counts;
  }
}
