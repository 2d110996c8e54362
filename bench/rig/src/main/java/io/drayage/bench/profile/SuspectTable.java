package io.drayage.bench.profile;

import static io.drayage.internal.Texts.format;

import io.drayage.bench.table.Format;
import io.drayage.bench.table.Medium;
import io.drayage.bench.table.Table;
import io.drayage.bench.table.TableCell;
import io.drayage.bench.table.Tone;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** The suspects of a session as tables, and the conclusions in words. */
public final class SuspectTable {
  /** The id of the rule for the JIT compiler. */
  static final String COMPILER = "jit";

  private static final double SHOWN_FROM = 0.005;
  private static final Map<String, String> MARKS = Map.of("study", " *", "ours", " +", "other", "");

  private SuspectTable() {}

  /** Returns a table of the time of each end of a system. */
  static Table of(String system, List<SuspectRow> rows) {
    return Table.<SuspectRow>of(system, rows)
        .text(system, row -> row.label() + MARKS.get(row.kind()))
        .wrapped()
        .text("verdict", SuspectRow::verdict)
        .wrapped()
        .cells("cpu %: worker", "", true, share(row -> row.worker().cpu()))
        .cells("(under it)", "", true, share(row -> row.worker().cpuUnder()))
        .cells("transactor", "", true, share(row -> row.transactor().cpu()))
        .cells("(under it)", "", true, share(row -> row.transactor().cpuUnder()))
        .cells("waiting %: worker", "", true, share(row -> row.worker().waiting()))
        .cells("transactor", "", true, share(row -> row.transactor().waiting()))
        .text("whose", row -> row.isSuspect() ? row.kind() : null)
        .on(Medium.PAGE)
        .tone(row -> row.isGuilty() ? Tone.BAD : Tone.PLAIN)
        .build();
  }

  private static Function<SuspectRow, TableCell> share(ToDoubleFunction<SuspectRow> share) {
    return row -> {
      double value = share.applyAsDouble(row);
      return value == 0 ? TableCell.NONE : Format.PERCENT.cell(value).bar(value);
    };
  }

  /** Returns all texts for a terminal: first verdicts and their reasons, then tables and legend. */
  public static List<String> text(ProfileResult result) {
    List<String> lines = new ArrayList<>(verdicts(result));
    warnings(result).forEach(warning -> lines.add("WARNING: " + warning));
    lines.addAll(compilers(result));
    result.overhead().forEach(overhead -> lines.add(overhead.text()));
    for (String system : result.systems()) {
      List<SuspectRow> rows = result.suspectsOf(system);
      if (!rows.isEmpty()) {
        lines.add("");
        lines.addAll(
            of(system, rows.stream().filter(row -> !row.isSmall(SHOWN_FROM)).toList()).toText());
      }
    }
    lines.add("");
    lines.add(
        "* suspect of the study, + suspect of ours. Shares: the samples of S+Q whose nearest known"
            + " frame it is; under it: with all its calls. Below 0.5 % only suspects are shown");
    lines.add(
        "guilty: removing it alone shortens S+Q by at least 5 %, with a 95 % interval above 0. not"
            + " guilty (at most n %): the interval, or else that of its CPU time, ends at n %, which"
            + " is below 5 %. cannot be told (at most n %): neither was shown. at most n %: only"
            + " bounded, by its CPU time. cannot be removed: no bound either");
    return lines;
  }

  /** Returns the verdicts about the suspects, one line for each system. */
  static List<String> verdicts(ProfileResult result) {
    return result.systems().stream().map(system -> verdict(system, result)).toList();
  }

  private static String verdict(String system, ProfileResult result) {
    boolean tried =
        result.experiments().stream().anyMatch(outcome -> outcome.system().equals(system));
    List<SuspectRow> suspects =
        result.suspectsOf(system).stream().filter(SuspectRow::isSuspect).toList();
    return "%s: %s".formatted(system, tried ? verdict(suspects) : "no suspect was tried");
  }

  /** Returns the verdict about some suspects: the guilty ones first, by their gain. */
  static String verdict(List<SuspectRow> suspects) {
    String guilty =
        suspects.stream()
            .filter(SuspectRow::isGuilty)
            .sorted(
                Comparator.comparingDouble((SuspectRow row) -> Objects.requireNonNull(row.gain()))
                    .reversed())
            .map(row -> row.label() + row.verdict().substring("guilty".length()))
            .collect(Collectors.joining(", "));
    List<String> parts = new ArrayList<>();
    parts.add(guilty.isEmpty() ? "no experiment convicts a suspect" : "guilty: " + guilty);
    String acquitted = labels(suspects, SuspectRow::isAcquitted);
    if (!acquitted.isEmpty()) {
      parts.add("not guilty: " + acquitted);
    }
    String open = labels(suspects, row -> !row.isGuilty() && !row.isAcquitted());
    if (!open.isEmpty()) {
      parts.add("undecided: " + open);
    }
    return String.join("; ", parts);
  }

  private static String labels(List<SuspectRow> suspects, Predicate<SuspectRow> which) {
    return suspects.stream().filter(which).map(SuspectRow::label).collect(Collectors.joining(", "));
  }

  private static List<String> compilers(ProfileResult result) {
    return result.suspects().stream()
        .filter(row -> row.suspect().equals(COMPILER))
        .map(
            row ->
                format(
                    "compiler's share of %s: %.1f %% on the worker, %.1f %% on the transactor",
                    row.system(), 100 * row.worker().cpu(), 100 * row.transactor().cpu()))
        .toList();
  }

  /** Returns the reasons why the recordings are unreliable, each with a remedy. */
  static List<String> warnings(ProfileResult result) {
    List<String> warnings = new ArrayList<>();
    String slowed =
        result.overhead().stream()
            .filter(Overhead::isTooMuch)
            .map(overhead -> overhead.system())
            .collect(Collectors.joining(", "));
    if (!slowed.isEmpty()) {
      warnings.add(
          "recording costs more than 10 %% of S+Q (%s): judge by the experiments"
              .formatted(slowed));
    }
    String cold =
        result.ends().stream()
            .filter(ProfiledEnd::isDefective)
            .map(ProfiledEnd::system)
            .distinct()
            .collect(Collectors.joining(", "));
    if (!cold.isEmpty()) {
      warnings.add(
          "defective recording, the JIT compiler used more than 10 %% of the CPU time (%s): give more time (--budget)"
              .formatted(cold));
    }
    return warnings;
  }
}
