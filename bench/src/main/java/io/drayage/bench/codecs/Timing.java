package io.drayage.bench.codecs;

import io.drayage.bench.codecs.TimedProcess.Times;
import io.drayage.bench.codecs.work.WorkFacts;
import io.drayage.bench.progress.StepDisplay;
import io.drayage.bench.published.PublishedFigures;
import io.drayage.bench.statistics.Medians;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.runner.RunnerException;

/**
 * Times combinations one after the other, in as many rounds as there are forks: so what a machine
 * does for a while falls on all of them.
 *
 * @param published scores of the study
 * @param logs the folder of the processes' logs
 */
record Timing(TimedProcess process, PublishedFigures published, long sizeBytes, Path logs) {
  static final Combination BASELINE = new Combination("java", "none", null, Form.STREAM);

  /** What all processes of one combination measured. */
  private static final class Measured {
    final List<Double> timesS = new ArrayList<>();
    @Nullable WorkFacts facts;
    @Nullable String error;
  }

  /** One row for each combination, in their order. */
  List<TimingRow> measure(List<Combination> combinations, int rounds, StepDisplay display)
      throws IOException {
    Map<Combination, Measured> measured = new LinkedHashMap<>();
    combinations.forEach(combination -> measured.put(combination, new Measured()));
    int done = 0;
    for (int round = 1; round <= rounds; round++) {
      for (Map.Entry<Combination, Measured> entry : measured.entrySet()) {
        done++;
        String outcome = measure(entry.getKey(), done, entry.getValue());
        display.step(done, rounds * combinations.size(), entry.getKey() + ": " + outcome);
      }
    }
    List<TimingRow> rows = new ArrayList<>();
    measured.forEach((combination, all) -> rows.add(row(combination, all)));
    return compared(rows);
  }

  /** One process; none any more for a combination that has failed. */
  private String measure(Combination combination, int number, Measured measured)
      throws IOException {
    if (measured.error != null) {
      return "FAILED before";
    }
    String name = combination.toString().replaceAll("[^A-Za-z0-9.]+", "-");
    try {
      Times times = process.run(combination, logs.resolve("%d-%s.log".formatted(number, name)));
      measured.timesS.addAll(times.timesS());
      measured.facts = times.facts();
      Double medianS = Medians.of(times.timesS());
      return medianS == null
          ? "nothing"
          : String.format(
              Locale.ROOT, "%.4f s, %.0f MB/s", medianS, times.facts().rawBytes() / medianS / 1e6);
    } catch (RunnerException e) {
      measured.error = Failures.rootMessage(e);
      return "FAILED, " + measured.error;
    }
  }

  private TimingRow row(Combination combination, Measured measured) {
    Double publishedScore = combination.published(published, sizeBytes);
    WorkFacts facts = measured.facts;
    return measured.error != null || facts == null
        ? TimingRow.failed(combination, publishedScore, String.valueOf(measured.error))
        : TimingRow.of(combination, measured.timesS, facts, publishedScore);
  }

  private static List<TimingRow> compared(List<TimingRow> rows) {
    TimingRow baseline = find(rows, BASELINE);
    TimingRow copy = find(rows, Combination.COPY);
    return rows.stream()
        .map(row -> row.comparedWith(baseline, copy, oneThread(rows, row)))
        .toList();
  }

  private static @Nullable TimingRow oneThread(List<TimingRow> rows, TimingRow row) {
    return row.threads() == null ? null : find(rows, row.combination().onThreads(1));
  }

  private static @Nullable TimingRow find(List<TimingRow> rows, Combination combination) {
    for (TimingRow row : rows) {
      if (row.combination().equals(combination)) {
        return row;
      }
    }
    return null;
  }
}
