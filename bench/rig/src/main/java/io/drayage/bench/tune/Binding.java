package io.drayage.bench.tune;

import static io.drayage.internal.Texts.format;

import io.drayage.bench.result.Measurement;
import io.drayage.bench.result.Run;
import io.drayage.bench.result.Summary;
import io.drayage.bench.statistics.Medians;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Describes in one line what limits the speed of a setting. */
final class Binding {
  /** Load at which a link counts as full: headers and acknowledgements need the rest. */
  private static final double LINK_FULL = 0.85;

  private static final double CORES_FULL = 0.80;

  private Binding() {}

  /**
   * Judges by successful runs.
   *
   * @param linkBytesPerSecond the link's rate; null for loopback
   * @param linkText the user's notation of the link
   * @param cores of this machine, on which both ends are
   */
  static String of(
      String name, List<Run> runs, @Nullable Long linkBytesPerSecond, String linkText, int cores) {
    double sqS = median(runs, Run::sqS);
    double linkShare =
        linkBytesPerSecond == null ? 0 : median(runs, Run::wireBytes) / sqS / linkBytesPerSecond;
    if (linkShare >= LINK_FULL) {
      return format("the link binds: its frames take %.0f %% of %s", 100 * linkShare, linkText);
    }
    String busiest =
        Objects.requireNonNullElse(
            Summary.of(List.of(name), name, Measurement.of(runs)).get(0).costs().busiest(),
            "nothing that is seen");
    double coresShare = median(runs, Run::cpuS) / sqS / cores;
    if (coresShare >= CORES_FULL) {
      return format(
          "the cores bind: both processes keep all %d busy; the busiest stage is %s",
          cores, busiest);
    }
    return format(
        "the busiest stage is %s, of all cores %.0f %% are used%s",
        busiest,
        100 * coresShare,
        linkShare > 0 ? format(", of the link %.0f %%", 100 * linkShare) : "");
  }

  private static double median(List<Run> runs, Function<Run, @Nullable Number> figure) {
    Double median = Medians.of(runs, figure);
    return median == null ? 0 : median;
  }
}
