package io.drayage.bench.profile;

import io.drayage.bench.TextTable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The suspects as a table for a terminal. */
final class ProfileTable {
  private static final double SHOWN_FROM = 0.005;

  /** The id of its rule. */
  static final String COMPILER = "jit";

  private static final double WARM_BELOW = 0.1;

  private ProfileTable() {}

  static List<String> of(ProfileResult result) {
    List<String> lines = new ArrayList<>();
    for (String system : result.config().systems()) {
      List<SuspectRow> rows =
          result.summary().stream().filter(row -> row.system().equals(system)).toList();
      if (rows.isEmpty()) {
        continue;
      }
      TextTable table =
          new TextTable(
              List.of(
                  system,
                  "cpu %: worker",
                  "(under it)",
                  "transactor",
                  "(under it)",
                  "waiting %: worker",
                  "transactor",
                  "verdict"));
      SuspectRow rest = null;
      for (SuspectRow row : rows) {
        if (row.kind().equals("other") && isSmall(row)) {
          rest = rest == null ? row : sum(rest, row);
        } else {
          table.add(cells(row.label() + mark(row), row));
        }
      }
      if (rest != null) {
        table.add(cells("others below 0.5 %", rest));
      }
      lines.addAll(table.lines());
      lines.add("");
    }
    lines.add(
        "* suspect of the study, + of ours. Shares: the samples of S+Q whose nearest known frame it is;"
            + " each column adds up to 100 %; under it: with all that it calls");
    lines.add(
        "verdict: guilty if taking it away alone shortens S+Q by at least 5 % and the 95 % interval"
            + " is above 0; not guilty if that ends below 5 %");
    result.overhead().forEach(overhead -> lines.add(line(overhead)));
    warnings(result).forEach(warning -> lines.add("WARNING: " + warning));
    lines.addAll(verdicts(result));
    return lines;
  }

  /** Who is guilty, a line for each system. */
  static List<String> verdicts(ProfileResult result) {
    return result.config().systems().stream().map(system -> verdict(system, result)).toList();
  }

  private static String verdict(String system, ProfileResult result) {
    String guilty =
        result.summary().stream()
            .filter(row -> row.system().equals(system) && row.verdict().startsWith("guilty"))
            .sorted(Comparator.comparingDouble(ProfileTable::gain).reversed())
            .map(row -> row.label() + row.verdict().substring("guilty".length()))
            .collect(Collectors.joining(", "));
    if (guilty.isEmpty()) {
      boolean tried =
          result.experiments().stream().anyMatch(outcome -> outcome.system().equals(system));
      return system + (tried ? ": no experiment convicts a suspect" : ": no suspect was tried");
    }
    return "%s: guilty: %s".formatted(system, guilty);
  }

  private static double gain(SuspectRow row) {
    return row.gain() == null ? 0 : row.gain();
  }

  private static String line(Overhead overhead) {
    if (overhead.overhead() == null) {
      return "overhead of recording %s: not measured".formatted(overhead.system());
    }
    return String.format(
        Locale.ROOT,
        "overhead of recording %s: %+.1f %% (S+Q %.3f s with, %.3f s without)",
        overhead.system(),
        100 * overhead.overhead(),
        overhead.recordedSqS(),
        overhead.plainSqS());
  }

  /** What makes the recordings less than they are taken for, and what to do about it. */
  static List<String> warnings(ProfileResult result) {
    List<String> warnings = new ArrayList<>();
    List<String> slowed =
        result.overhead().stream()
            .filter(Overhead::isTooMuch)
            .map(
                overhead ->
                    String.format(
                        Locale.ROOT, "%s %+.1f %%", overhead.system(), 100 * overhead.overhead()))
            .toList();
    if (!slowed.isEmpty()) {
      warnings.add(
          "recording costs more than 5 %% of S+Q (%s): judge by the experiments, or record without the kernel's frames (--no-kernel-frames)"
              .formatted(String.join(", ", slowed)));
    }
    List<String> cold =
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
            .toList();
    if (!cold.isEmpty()) {
      warnings.add(
          "not warm, the JIT compiler has more than 10 %% of the processor (%s): give it more warm-ups (--warmup)"
              .formatted(String.join("; ", cold)));
    }
    return warnings;
  }

  private static boolean isSmall(SuspectRow row) {
    return row.worker().cpu() < SHOWN_FROM
        && row.transactor().cpu() < SHOWN_FROM
        && row.worker().waiting() < SHOWN_FROM
        && row.transactor().waiting() < SHOWN_FROM;
  }

  private static SuspectRow sum(SuspectRow one, SuspectRow other) {
    return new SuspectRow(
        one.system(),
        "rest",
        "other",
        "",
        sum(one.worker(), other.worker()),
        sum(one.transactor(), other.transactor()),
        null,
        null,
        null,
        null,
        null,
        "");
  }

  private static SuspectRow.Side sum(SuspectRow.Side one, SuspectRow.Side other) {
    return new SuspectRow.Side(
        one.cpu() + other.cpu(),
        one.cpuUnder() + other.cpuUnder(),
        one.waiting() + other.waiting(),
        one.waitingUnder() + other.waitingUnder());
  }

  private static String mark(SuspectRow row) {
    return switch (row.kind()) {
      case "study" -> " *";
      case "ours" -> " +";
      default -> "";
    };
  }

  private static List<String> cells(String name, SuspectRow row) {
    return List.of(
        name,
        percent(row.worker().cpu()),
        percent(row.worker().cpuUnder()),
        percent(row.transactor().cpu()),
        percent(row.transactor().cpuUnder()),
        percent(row.worker().waiting()),
        percent(row.transactor().waiting()),
        row.verdict());
  }

  static String percent(double share) {
    return share == 0 ? "-" : String.format(Locale.ROOT, "%.1f", 100 * share);
  }
}
