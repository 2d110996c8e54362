package io.drayage.bench.result;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The last line of a comparison: what is the fastest, by how much, and whether all went well. */
public final class Conclusion {
  private Conclusion() {}

  /**
   * The line of a comparison.
   *
   * @param baseline one of the systems of {@code summaries}
   */
  public static String of(List<Summary> summaries, String baseline, List<Run> runs) {
    return speed(summaries, baseline) + ", " + health(runs, 0);
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
    String figures = text("S+Q %.2f s", fastest.sqMedianS());
    String rate = text("%.0f MB/s", fastest.rawMBps());
    if (fastest.sqSpeedup() == null) {
      return "%s is the fastest (%s, %s), but the baseline %s failed"
          .formatted(fastest.system(), figures, rate, baseline);
    }
    if (fastest.system().equals(baseline)) {
      return summaries.size() == 1
          ? "%s: %s, %s".formatted(baseline, figures, rate)
          : "the baseline %s is the fastest (%s, %s)".formatted(baseline, figures, rate);
    }
    return text(
        "%s is %.1fx as fast as %s (%s against %.2f s, %s)",
        fastest.system(), fastest.sqSpeedup(), baseline, figures, base.sqMedianS(), rate);
  }

  private static String health(List<Run> runs, long skipped) {
    long ok = runs.stream().filter(run -> run.status() == Status.OK).count();
    String counts =
        "%d of %d runs ok%s"
            .formatted(
                ok, runs.size(), skipped == 0 ? "" : ", %d rungs skipped".formatted(skipped));
    if (runs.stream().anyMatch(run -> Boolean.FALSE.equals(run.digestOk()))) {
      return counts + ", digests differ";
    }
    return ok == runs.size() ? counts + ", digests equal" : counts;
  }

  private static String text(String format, @Nullable Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
