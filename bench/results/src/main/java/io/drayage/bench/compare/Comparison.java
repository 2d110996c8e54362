package io.drayage.bench.compare;

import static io.drayage.internal.Texts.format;

import com.fasterxml.jackson.databind.JsonNode;
import io.drayage.bench.report.ReportRun;
import io.drayage.bench.result.Run;
import io.drayage.bench.result.Summary;
import io.drayage.bench.table.Cell;
import io.drayage.bench.table.Format;
import io.drayage.bench.table.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Two runs beside each other.
 *
 * @param differences of the systems that went well in both, metric after metric
 * @param broken systems that went well in the first run and failed in the second
 * @param gone systems that went well in the first run and that the second does not have
 * @param missing systems that only one of the runs has, in words
 * @param unlike what the two shipped, or over what, if that differs: the second cannot be judged
 *     then
 * @param warnings why the two may differ besides what is to be compared
 */
public record Comparison(
    List<Difference> differences,
    List<String> broken,
    List<String> gone,
    List<String> missing,
    List<String> unlike,
    List<String> warnings) {
  private static final Format DIGITS =
      new Format(
          "",
          1,
          value -> Format.of("", value < 10 ? "%.3f" : value < 100 ? "%.2f" : "%.0f").text(value));

  /** Where they stand in a result's configuration. */
  private static final List<String> SETTINGS =
      List.of(
          "/seed",
          "/tls",
          "/segmentBytes",
          "/chunkBytes",
          "/connections",
          "/workerThreads",
          "/transactorThreads",
          "/congestionControl",
          "/linkBytesPerSecond",
          "/linkFacts/congestionControl",
          "/linkFacts/workerCores",
          "/linkFacts/transactorCores",
          "/stage",
          "/acknowledgement",
          "/load",
          "/workerHeapBytes",
          "/transactorHeapBytes");

  public Comparison {
    differences = List.copyOf(differences);
    broken = List.copyOf(broken);
    gone = List.copyOf(gone);
    missing = List.copyOf(missing);
    unlike = List.copyOf(unlike);
    warnings = List.copyOf(warnings);
  }

  public static Comparison of(ReportRun base, ReportRun fresh) {
    List<Difference> differences = new ArrayList<>();
    List<String> broken = new ArrayList<>();
    List<String> gone = new ArrayList<>();
    List<String> missing = new ArrayList<>();
    for (String system : base.systems()) {
      List<Run> before = base.countedRuns(system);
      List<Run> after = fresh.countedRuns(system);
      if (!fresh.systems().contains(system)) {
        missing.add(system + " only in BASE");
        if (!before.isEmpty()) {
          gone.add(system);
        }
        continue;
      }
      boolean failsAnew = failures(base, system) == 0 && failures(fresh, system) > 0;
      if (failsAnew || (!before.isEmpty() && after.isEmpty())) {
        broken.add(system);
      }
      if (!before.isEmpty() && !after.isEmpty()) {
        differences.addAll(differences(system, base, fresh));
      }
    }
    fresh.systems().stream()
        .filter(system -> !base.systems().contains(system))
        .forEach(system -> missing.add(system + " only in NEW"));
    return new Comparison(
        differences, broken, gone, missing, unlike(base, fresh), warnings(base, fresh));
  }

  private static List<String> unlike(ReportRun base, ReportRun fresh) {
    List<String> unlike = new ArrayList<>();
    if (!base.hasCargoOf(fresh)) {
      unlike.add(differs("cargo", base.cargo(), fresh.cargo()));
    }
    warn(unlike, "link", base, fresh, ReportRun::link);
    return unlike;
  }

  private static long failures(ReportRun run, String system) {
    return run.summary(system).runsFailed();
  }

  private static List<Difference> differences(String system, ReportRun base, ReportRun fresh) {
    List<Difference> differences = new ArrayList<>();
    for (Metric metric : Metric.values()) {
      double[] before = metric.valuesOf(base, system);
      double[] after = metric.valuesOf(fresh, system);
      if (before.length > 0 && after.length > 0) {
        differences.add(Difference.of(system, metric, before, after));
      }
    }
    return differences;
  }

  private static List<String> warnings(ReportRun base, ReportRun fresh) {
    List<String> warnings = new ArrayList<>();
    warn(warnings, "commit", base, fresh, ReportRun::extent);
    warn(warnings, "number of workers", base, fresh, ReportRun::workers);
    for (String name : List.of("cpu", "cores", "kernel", "jdkVersion")) {
      warn(warnings, name, base, fresh, run -> run.environment().path(name).asText("?"));
    }
    for (String path : SETTINGS) {
      warn(warnings, path.substring(1), base, fresh, run -> text(run.config().at(path)));
    }
    warnOfDoubts(warnings, base, "BASE");
    warnOfDoubts(warnings, fresh, "NEW");
    return warnings;
  }

  /** What its own report says too: turns that had to count although disturbed, cold systems. */
  private static void warnOfDoubts(List<String> warnings, ReportRun run, String which) {
    for (Summary summary : run.summaries()) {
      List<Run> counted = run.countedRuns(summary.system());
      long disturbed = counted.stream().filter(Run::disturbed).count();
      if (disturbed > 0) {
        warnings.add(
            format(
                "%s in %s: %d of %d turns were disturbed by others, too many to leave out",
                summary.system(), which, disturbed, counted.size()));
      }
      if (Boolean.FALSE.equals(summary.warmth().warm())) {
        warnings.add(
            "%s in %s was not warm: %s"
                .formatted(summary.system(), which, summary.warmth().reason()));
      }
    }
  }

  private static String text(JsonNode value) {
    return value.isNull() || value.isMissingNode() ? "none" : value.asText();
  }

  private static void warn(
      List<String> warnings,
      String what,
      ReportRun base,
      ReportRun fresh,
      Function<ReportRun, Object> part) {
    Object before = part.apply(base);
    Object after = part.apply(fresh);
    if (!Objects.equals(before, after)) {
      warnings.add(differs(what, before, after));
    }
  }

  private static String differs(String what, Object before, Object after) {
    return "the %s differs: %s in BASE, %s in NEW".formatted(what, before, after);
  }

  /** Whether a system that went well in the first run failed in the second, or is not there. */
  public boolean hasLost() {
    return !broken.isEmpty() || !gone.isEmpty();
  }

  /** What meets one of the conditions. */
  public List<Difference> regressions(List<FailIf> conditions) {
    return differences.stream()
        .filter(
            difference -> conditions.stream().anyMatch(condition -> condition.isMetBy(difference)))
        .toList();
  }

  /** The conditions on what was not measured in both runs. */
  public List<FailIf> unmeasured(List<FailIf> conditions) {
    return conditions.stream()
        .filter(
            condition ->
                differences.stream()
                    .noneMatch(difference -> difference.metric() == condition.metric()))
        .toList();
  }

  /** What a condition asks for and cannot be told. */
  public List<Difference> undecided(List<FailIf> conditions) {
    return differences.stream()
        .filter(Difference::tooFew)
        .filter(
            difference ->
                conditions.stream()
                    .anyMatch(condition -> condition.metric() == difference.metric()))
        .toList();
  }

  /**
   * The conclusion, in a line.
   *
   * @param conditions what counts as a regression
   */
  public String conclusion(List<FailIf> conditions) {
    List<Difference> regressions = regressions(conditions);
    List<String> parts = new ArrayList<>();
    if (!conditions.isEmpty() && !broken.isEmpty()) {
      parts.add("REGRESSION: %s failed".formatted(String.join(", ", broken)));
    }
    if (!conditions.isEmpty() && !gone.isEmpty()) {
      parts.add("REGRESSION: %s not in NEW".formatted(String.join(", ", gone)));
    }
    if (!regressions.isEmpty()) {
      parts.add("REGRESSION: " + list(regressions));
    }
    if (parts.isEmpty() && differences.isEmpty()) {
      return "nothing to compare: no system went well in both runs";
    }
    if (parts.isEmpty() && !undecided(conditions).isEmpty()) {
      parts.add("too few turns to tell: at least 5 are needed in BASE and in NEW");
    }
    if (parts.isEmpty()) {
      List<Difference> significant =
          differences.stream().filter(Difference::isSignificant).toList();
      parts.add(significant.isEmpty() ? "no difference" : list(significant));
      if (!conditions.isEmpty() && unmeasured(conditions).isEmpty()) {
        parts.add("no regression (%s)".formatted(FailIf.text(conditions)));
      }
    }
    return String.join("; ", parts);
  }

  private static String list(List<Difference> differences) {
    return differences.stream()
        .map(one -> "%s %s %s".formatted(one.system(), one.metric(), one.changeText()))
        .collect(Collectors.joining(", "));
  }

  /** The differences, one per row. */
  public Table table() {
    return Table.of("Differences", differences)
        .text("system", Difference::system)
        .text("metric", difference -> difference.metric().heading())
        .number("BASE", DIGITS, difference -> difference.metric().shown(difference.base()))
        .number("NEW", DIGITS, difference -> difference.metric().shown(difference.fresh()))
        .cells("change", "", true, difference -> Cell.text(difference.changeText()))
        .cells("95 % interval", "", true, difference -> Cell.text(difference.intervalText()))
        .text("", Difference::verdict)
        .build();
  }
}
