package io.drayage.bench.report;

import static io.drayage.internal.Texts.format;

import io.drayage.bench.result.Ceilings;
import io.drayage.bench.result.Floor;
import io.drayage.bench.result.Run;
import io.drayage.bench.result.Status;
import io.drayage.bench.result.Summary;
import io.drayage.bench.result.Verdict;
import io.drayage.internal.Counted;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/** A comparison on a terminal: a table, a bar for each system, and the verdict last. */
public final class TerminalText {
  private static final int COLUMNS = 100;
  private static final int BAR = 52;

  private final ReportRun run;
  private final boolean isVerbose;
  private final String solid;
  private final String light;
  private final List<String> lines = new ArrayList<>();

  private TerminalText(ReportRun run, boolean isVerbose, Charset charset) {
    this.run = run;
    this.isVerbose = isVerbose;
    boolean hasBlocks = charset.equals(StandardCharsets.UTF_8);
    this.solid = hasBlocks ? "█" : "#";
    this.light = hasBlocks ? "░" : ".";
  }

  /**
   * Returns the lines of a comparison, at most 100 columns wide for usual names unless verbose.
   *
   * @param isVerbose adds memory, phases and stages
   * @param charset of the terminal; bars are of blocks in UTF-8
   */
  public static List<String> of(ReportRun run, boolean isVerbose, Charset charset) {
    return new TerminalText(run, isVerbose, charset).lines();
  }

  private List<String> lines() {
    boolean isLadder = run.summaries().get(0).step() != null;
    lines.addAll(
        (isLadder
                ? SummaryTables.rungs(run.summaries())
                : SummaryTables.systems(run.summaries(), run.baseline()))
            .toText());
    if (!run.study().isEmpty()) {
      addAll(SummaryTables.study(run.study()).toText());
    }
    if (isVerbose) {
      addDetails();
    }
    Ceilings ceilings = run.ceilings();
    if (ceilings != null) {
      addAll(SummaryTables.ceilings(ceilings).toText());
    }
    addBars();
    addVerdict();
    return lines;
  }

  private void addAll(List<String> block) {
    lines.add("");
    lines.addAll(block);
  }

  private void addDetails() {
    addAll(SummaryTables.cost(run.summaries(), run.floor()).toText());
    addAll(RunTables.utilisation(run).toText());
    if (run.summaries().stream().anyMatch(summary -> summary.commitOverSq() != null)) {
      addAll(SummaryTables.phases(run.summaries()).toText());
    }
  }

  /** Adds bars of S+Q as a part of the commit, so that the factor of S+Q is not misread. */
  private void addBars() {
    List<Summary> shown =
        run.summaries().stream().filter(summary -> summary.sqMedianS() != null).toList();
    if (shown.size() < 2) {
      return;
    }
    boolean hasCommits = shown.stream().anyMatch(summary -> summary.commitMedianS() != null);
    int width = shown.stream().mapToInt(summary -> summary.system().length()).max().orElseThrow();
    double longestS = shown.stream().mapToDouble(TerminalText::wholeS).max().orElseThrow();
    lines.add("");
    lines.add(
        hasCommits
            ? "seconds, less is better: %s S+Q, %s the rest of the commit".formatted(solid, light)
            : "seconds of S+Q, less is better");
    for (Summary summary : shown) {
      int all = length(wholeS(summary), longestS);
      int ofSq = length(Objects.requireNonNull(summary.sqMedianS()), longestS);
      lines.add(
          String.format(
              Locale.ROOT,
              "%-" + width + "s  %s%s %.2f",
              summary.system(),
              solid.repeat(ofSq),
              light.repeat(all - ofSq),
              wholeS(summary)));
    }
  }

  private static double wholeS(Summary summary) {
    Double commitS = summary.commitMedianS();
    double sqS = Objects.requireNonNull(summary.sqMedianS());
    return commitS == null ? sqS : Math.max(commitS, sqS);
  }

  private static int length(double seconds, double longestS) {
    return (int) Math.max(1, Math.round(BAR * seconds / longestS));
  }

  private void addVerdict() {
    Verdict verdict = run.verdict();
    lines.add("");
    addFailures();
    verdict.remarks().forEach(remark -> lines.addAll(wrapped(remark)));
    addFloor();
    lines.add("");
    lines.addAll(wrapped(verdict.answer()));
  }

  private void addFloor() {
    Floor floor = run.floor();
    if (floor == null) {
      return;
    }
    String times =
        run.summaries().stream()
            .filter(summary -> floor.times(summary) != null)
            .map(summary -> format("%s %.1f", summary.system(), floor.times(summary)))
            .collect(Collectors.joining(", "));
    if (!times.isEmpty()) {
      lines.addAll(wrapped("CPU time, times the floor of this machine: " + times));
    }
  }

  /** Adds failures: a lost system fails in all later turns, for one reason. */
  private void addFailures() {
    Map<List<String>, List<Run>> failed = new LinkedHashMap<>();
    for (Run one : run.runs()) {
      if (one.status() == Status.FAILED) {
        List<String> key = List.of(one.system(), String.valueOf(one.error()));
        failed.computeIfAbsent(key, unused -> new ArrayList<>()).add(one);
      }
    }
    failed.forEach(
        (key, turns) ->
            lines.add(
                "FAILED %s, %s%s: %s"
                    .formatted(
                        key.get(0),
                        RunTables.turn(turns.get(0)),
                        turns.size() == 1
                            ? ""
                            : " and " + Counted.of(turns.size() - 1, "more turn"),
                        key.get(1))));
  }

  /** Breaks a text into lines of at most 100 columns. */
  public static List<String> wrapped(String text) {
    return wrapped(text, COLUMNS);
  }

  /** Breaks a text into lines of at most so many columns, unless a word is longer. */
  public static List<String> wrapped(String text, int columns) {
    List<String> broken = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String word : text.split(" ", -1)) {
      if (line.length() > 0 && line.length() + 1 + word.length() > columns) {
        broken.add(line.toString());
        line = new StringBuilder();
      }
      line.append(line.length() == 0 ? "" : " ").append(word);
    }
    broken.add(line.toString());
    return broken;
  }
}
