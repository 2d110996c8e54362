package io.drayage.bench.profile;

import io.drayage.bench.table.Cell;
import io.drayage.bench.table.Format;
import io.drayage.bench.table.Medium;
import io.drayage.bench.table.Table;
import io.drayage.bench.table.Tone;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** The suspects of a session as tables, and the conclusions in words. */
public final class SuspectTable {
  /** The id of the rule for the JIT compiler. */
  static final String COMPILER = "jit";

  private static final double SHOWN_FROM = 0.005;
  private static final double WARM_BELOW = 0.1;

  private SuspectTable() {}

  /** What the time of each end of a system went to. */
  static Table of(String system, List<SuspectRow> rows) {
    return Table.of(system, rows)
        .text(system, row -> row.label() + mark(row))
        .wrapped()
        .text("verdict", row -> row.judgement().verdict())
        .wrapped()
        .cells("cpu %: worker", "", true, share(row -> row.worker().cpu()))
        .cells("(under it)", "", true, share(row -> row.worker().cpuUnder()))
        .cells("transactor", "", true, share(row -> row.transactor().cpu()))
        .cells("(under it)", "", true, share(row -> row.transactor().cpuUnder()))
        .cells("waiting %: worker", "", true, share(row -> row.worker().waiting()))
        .cells("transactor", "", true, share(row -> row.transactor().waiting()))
        .text("whose", row -> row.kind().equals("other") ? null : row.kind())
        .on(Medium.PAGE)
        .tone(row -> row.isGuilty() ? Tone.BAD : Tone.PLAIN)
        .build();
  }

  private static Function<SuspectRow, Cell> share(ToDoubleFunction<SuspectRow> share) {
    return row -> {
      double value = share.applyAsDouble(row);
      return value == 0 ? Cell.NONE : Format.PERCENT.cell(value).bar(value);
    };
  }

  private static String mark(SuspectRow row) {
    return switch (row.kind()) {
      case "study" -> " *";
      case "ours" -> " +";
      default -> "";
    };
  }

  /** Everything for a terminal: tables, legend, overhead, warnings, verdicts. */
  public static List<String> text(ProfileResult result) {
    List<String> lines = new ArrayList<>();
    for (String system : result.config().systems()) {
      List<SuspectRow> rows = result.suspectsOf(system);
      if (!rows.isEmpty()) {
        lines.addAll(of(system, withoutSmall(rows)).toText());
        lines.add("");
      }
    }
    lines.add(
        "* suspect of the study, + of ours. Shares: the samples of S+Q whose nearest known frame it"
            + " is; each column adds up to 100 %; under it: with all that it calls");
    lines.add(
        "verdict: guilty if removing it alone shortens S+Q by at least 5 % and the 95 % interval is"
            + " above 0; not guilty if that ends below 5 %");
    result.overhead().forEach(overhead -> lines.add(overhead.text()));
    warnings(result).forEach(warning -> lines.add("WARNING: " + warning));
    lines.addAll(verdicts(result));
    return lines;
  }

  /** Sums up unsuspected rows that take less than 0.5 % everywhere. */
  private static List<SuspectRow> withoutSmall(List<SuspectRow> rows) {
    List<SuspectRow> shown = new ArrayList<>();
    SuspectRow rest = null;
    for (SuspectRow row : rows) {
      if (!row.kind().equals("other") || !row.isBelow(SHOWN_FROM)) {
        shown.add(row);
      } else {
        rest = rest == null ? row : rest.plus(row, "others below 0.5 %");
      }
    }
    if (rest != null) {
      shown.add(rest);
    }
    return shown;
  }

  /** The guilty suspects, a line per system. */
  static List<String> verdicts(ProfileResult result) {
    return result.config().systems().stream().map(system -> verdict(system, result)).toList();
  }

  private static String verdict(String system, ProfileResult result) {
    String guilty =
        result.suspectsOf(system).stream()
            .filter(SuspectRow::isGuilty)
            .sorted(Comparator.comparingDouble(SuspectTable::gain).reversed())
            .map(SuspectRow::conviction)
            .collect(Collectors.joining(", "));
    if (guilty.isEmpty()) {
      boolean tried =
          result.experiments().stream().anyMatch(outcome -> outcome.system().equals(system));
      return system + (tried ? ": no experiment convicts a suspect" : ": no suspect was tried");
    }
    return "%s: guilty: %s".formatted(system, guilty);
  }

  private static double gain(SuspectRow row) {
    Double gain = row.judgement().gain();
    return gain == null ? 0 : gain;
  }

  /** What makes the recordings unreliable, and what to do about it. */
  static List<String> warnings(ProfileResult result) {
    List<String> warnings = new ArrayList<>();
    String slowed =
        result.overhead().stream()
            .filter(Overhead::isTooMuch)
            .map(overhead -> overhead.system() + " " + overhead.percentText())
            .collect(Collectors.joining(", "));
    if (!slowed.isEmpty()) {
      warnings.add(
          "recording costs more than 5 %% of S+Q (%s): judge by the experiments, or record without the kernel's frames (--no-kernel-frames)"
              .formatted(slowed));
    }
    String cold =
        result.summary().stream()
            .filter(row -> row.suspect().equals(COMPILER))
            .filter(row -> Math.max(row.worker().cpu(), row.transactor().cpu()) > WARM_BELOW)
            .map(
                row ->
                    String.format(
                        Locale.ROOT,
                        "%s %.0f %% on the worker, %.0f %% on the transactor",
                        row.system(),
                        100 * row.worker().cpu(),
                        100 * row.transactor().cpu()))
            .collect(Collectors.joining("; "));
    if (!cold.isEmpty()) {
      warnings.add(
          "not warm, the JIT compiler has more than 10 %% of the processor (%s): give it more warm-ups (--warmup)"
              .formatted(cold));
    }
    return warnings;
  }
}
