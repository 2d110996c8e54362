package io.drayage.bench.tune;

import static io.drayage.internal.Texts.format;

import io.drayage.bench.statistics.Interval;
import io.drayage.bench.table.Format;
import io.drayage.bench.table.Table;
import io.drayage.bench.table.TableBuilder;
import io.drayage.bench.table.TableCell;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The table of one codec's longest measured settings, the best first. */
final class TuneTable {
  private static final int ROWS = 8;

  private TuneTable() {}

  /**
   * Returns the table.
   *
   * @param untuned the trial of this codec with its defaults
   */
  static Table of(List<Trial> trials, Trial untuned) {
    Trial choice = Search.choice(trials).orElse(null);
    List<Trial> shown = new ArrayList<>();
    trials.stream()
        .filter(Trial::isOk)
        .sorted(Comparator.comparing(Trial::rounds).reversed().thenComparingDouble(Trial::median))
        .filter(trial -> shown.size() < ROWS || trial.equals(untuned))
        .forEach(shown::add);
    String codec = trials.get(0).setting().codec();
    TableBuilder<Trial> table =
        Table.<Trial>of(codec, shown)
            .text(
                codec, trial -> trial.equals(choice) ? "*" : trial.equals(untuned) ? "untuned" : "")
            .cells("threads", "", true, trial -> TableCell.text(trial.setting().threads()))
            .cells("segments", "", true, trial -> TableCell.text(trial.setting().segmentSize()))
            .number("connections", Format.COUNT, trial -> trial.setting().connections())
            .cells("S+Q", "s (95 %)", true, TuneTable::interval)
            .number("", Format.of("MB/s", "%.0f"), Trial::rawMBps)
            .number("runs", Format.COUNT, trial -> trial.runs().size());
    int left = trials.size() - shown.size();
    if (left > 0) {
      table.note(format("and %d settings that were dropped before or are slower", left));
    }
    trials.stream()
        .filter(trial -> trial.error() != null)
        .forEach(trial -> table.note("FAILED %s: %s".formatted(trial.setting(), trial.error())));
    return table.build();
  }

  private static TableCell interval(Trial trial) {
    Interval spread = trial.spread();
    return TableCell.number(
        spread.estimate(),
        format("%.3f (%.3f-%.3f)", spread.estimate(), spread.low(), spread.high()));
  }
}
