package io.drayage.bench.tune;

import io.drayage.bench.TextTable;
import io.drayage.bench.statistics.Interval;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/** The settings of one codec, for a terminal: those that were measured the longest, best first. */
final class TuneTable {
  private static final int ROWS = 8;

  private TuneTable() {}

  /**
   * The lines.
   *
   * @param untuned the trial of this codec that nobody has tuned
   */
  static List<String> of(List<Trial> trials, Trial untuned) {
    Trial choice = Search.choice(trials).orElse(null);
    TextTable table =
        new TextTable(
            List.of(
                trials.get(0).setting().codec().toString(),
                "threads",
                "segments",
                "connections",
                "S+Q s (95 %)",
                "MB/s",
                "runs"));
    List<Trial> shown =
        trials.stream()
            .filter(Trial::isOk)
            .sorted(
                Comparator.comparing(Trial::rounds).reversed().thenComparingDouble(Trial::median))
            .toList();
    List<Trial> first = new ArrayList<>(shown.subList(0, Math.min(ROWS, shown.size())));
    if (shown.contains(untuned) && !first.contains(untuned)) {
      first.add(untuned);
    }
    for (Trial trial : first) {
      String mark = trial.equals(choice) ? "*" : trial.equals(untuned) ? "untuned" : "";
      table.add(row(mark, trial));
    }
    List<String> lines = new ArrayList<>(table.lines());
    int left = trials.size() - first.size();
    if (left > 0) {
      lines.add("and %d settings that were dropped before or are slower".formatted(left));
    }
    trials.stream()
        .filter(trial -> trial.error() != null)
        .map(trial -> "FAILED %s: %s".formatted(trial.setting(), trial.error()))
        .forEach(lines::add);
    return lines;
  }

  private static List<String> row(String mark, Trial trial) {
    Interval spread = trial.spread();
    Setting setting = trial.setting();
    double rawBytes = Objects.requireNonNull(trial.runs().get(0).rawBytes());
    return List.of(
        mark,
        setting.workerThreads() + "/" + setting.transactorThreads(),
        setting.segmentSize(),
        Integer.toString(setting.connections()),
        String.format(
            Locale.ROOT, "%.3f (%.3f-%.3f)", spread.estimate(), spread.low(), spread.high()),
        String.format(Locale.ROOT, "%.0f", rawBytes / spread.estimate() / 1e6),
        Integer.toString(trial.runs().size()));
  }
}
