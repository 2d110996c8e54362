package io.drayage.bench.compare;

import static io.drayage.internal.Texts.format;

import com.fasterxml.jackson.databind.JsonNode;
import io.drayage.bench.report.ReportRun;
import io.drayage.bench.result.Run;
import io.drayage.bench.statistics.Interval;
import io.drayage.bench.table.Format;
import io.drayage.bench.table.Table;
import io.drayage.bench.table.TableCell;
import io.drayage.cargo.Names;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Two sides beside each other, each of one run or of several. Its texts have no control characters,
 * whatever the files hold.
 *
 * @param differences of the systems that succeeded on both sides, metric after metric
 * @param decisive the difference that decides; null if it was not measured on both sides
 * @param decides its name, {@code commit of SYSTEM}
 * @param broken systems that succeeded on the first side and failed on the second, or to which the
 *     second delivered another cargo
 * @param gone systems that succeeded on the first side and are missing on the second
 * @param missing systems that only one of the sides has, in words
 * @param gaps runs without a system that others of their side have, and turns that a run lacks of
 *     it, in words; with any, nothing is decided but a regression
 * @param unlike differences of cargo, link or machine; with any, the second side cannot be judged
 * @param warnings other differences that may explain a change
 */
public record Comparison(
    List<Difference> differences,
    @Nullable Difference decisive,
    String decides,
    List<String> broken,
    List<String> gone,
    List<String> missing,
    List<String> gaps,
    List<String> unlike,
    List<String> warnings) {
  private static final Format DIGITS =
      new Format(
          "",
          1,
          value -> Format.of("", value < 10 ? "%.3f" : value < 100 ? "%.2f" : "%.0f").text(value));

  /** The members of a result's environment, besides memory, that identify a machine. */
  private static final List<String> MACHINE = List.of("cpu", "cores", "arch", "kernel");

  /** The kernel reserves a slightly different part of the memory at each start. */
  private static final double SAME_MEMORY = 0.02;

  /** JSON pointers into a result's configuration. */
  private static final List<String> SETTINGS =
      List.of(
          "/seed",
          "/tls",
          "/segmentBytes",
          "/chunkBytes",
          "/connections",
          "/workerThreads",
          "/transactorThreads",
          "/linkBytesPerSecond",
          "/linkFacts/congestionControl",
          "/linkFacts/workerCores",
          "/linkFacts/transactorCores",
          "/stage",
          "/acknowledgement",
          "/load",
          "/storeBytesPerSecond",
          "/workerHeapBytes",
          "/transactorHeapBytes");

  public Comparison {
    differences = List.copyOf(differences);
    decides = Names.escaped(decides);
    broken = escaped(broken);
    gone = escaped(gone);
    missing = escaped(missing);
    gaps = escaped(gaps);
    unlike = escaped(unlike);
    warnings = escaped(warnings);
  }

  private static List<String> escaped(List<String> texts) {
    return texts.stream().map(Names::escaped).toList();
  }

  /**
   * Compares two sides.
   *
   * @param system that decides; null for the one with the fastest commits in BASE, or with the
   *     fastest S+Q if there are no commits
   * @param metric of it that decides; null for its commit, or S+Q
   * @param boundPercent the largest change that does not matter
   * @param acrossMachines whether runs of different machines may be compared, with a warning
   * @throws IllegalArgumentException if a run is on both sides, or another cargo than was sent
   *     arrived on the first side
   */
  public static Comparison of(
      List<ReportRun> baseRuns,
      List<ReportRun> freshRuns,
      @Nullable String system,
      @Nullable ComparedMetric metric,
      double boundPercent,
      boolean acrossMachines) {
    List<String> warnings = new ArrayList<>();
    Side base = distinct(baseRuns, "BASE", warnings);
    Side fresh = distinct(freshRuns, "NEW", warnings);
    requireOthers(base, fresh);
    requireSoundBase(base);
    List<String> unlike = unlike(base, fresh);
    warnOfMachines(acrossMachines ? warnings : unlike, base, fresh);
    addWarnings(warnings, base, fresh);
    List<Difference> differences = new ArrayList<>();
    List<String> broken = new ArrayList<>();
    List<String> gone = new ArrayList<>();
    List<String> missing = new ArrayList<>();
    List<String> gaps = new ArrayList<>();
    for (String one : base.systems()) {
      if (!fresh.systems().contains(one)) {
        missing.add(one + " only in BASE");
        if (base.ran(one)) {
          gone.add(one);
        }
        continue;
      }
      boolean failsAnew = !base.failed(one) && fresh.failed(one);
      if (failsAnew || fresh.corrupted(one) || (base.ran(one) && !fresh.ran(one))) {
        broken.add(one);
      }
      if (base.ran(one) && fresh.ran(one)) {
        gaps.addAll(base.gaps(one, "BASE"));
        gaps.addAll(fresh.gaps(one, "NEW"));
      }
      differences.addAll(differences(one, base, fresh, boundPercent));
    }
    for (String one : fresh.systems()) {
      if (!base.systems().contains(one)) {
        missing.add(one + " only in NEW");
        if (fresh.corrupted(one)) {
          broken.add(one);
        }
      }
    }
    ComparedMetric deciding = metric == null ? metricOf(base, fresh, system) : metric;
    String decider = system == null ? fastest(differences, deciding, base) : system;
    return new Comparison(
        differences,
        differences.stream()
            .filter(one -> one.system().equals(decider) && one.metric() == deciding)
            .findFirst()
            .orElse(null),
        "%s of %s".formatted(deciding, decider),
        broken,
        gone,
        missing,
        gaps,
        unlike,
        warnings);
  }

  /** Returns a side that has each run once, even if several files hold the run. */
  private static Side distinct(List<ReportRun> runs, String which, List<String> warnings) {
    List<ReportRun> distinct = new ArrayList<>();
    for (ReportRun run : runs) {
      sameAs(run, distinct)
          .ifPresentOrElse(
              same ->
                  warnings.add(
                      "%s in %s is the same run as %s: counted once"
                          .formatted(run.file(), which, same.file())),
              () -> distinct.add(run));
    }
    return new Side(distinct);
  }

  private static Optional<ReportRun> sameAs(ReportRun run, List<ReportRun> others) {
    return others.stream().filter(run::isSameRunAs).findFirst();
  }

  private static void requireOthers(Side base, Side fresh) {
    for (ReportRun run : fresh.runs()) {
      sameAs(run, base.runs())
          .ifPresent(
              same -> {
                throw new IllegalArgumentException(
                    "BASE and NEW have the same run, %s and %s: compare it with others"
                        .formatted(same.file(), run.file()));
              });
    }
  }

  private static void requireSoundBase(Side base) {
    for (ReportRun run : base.runs()) {
      for (Run turn : run.runs()) {
        if (Side.isCorrupt(turn)) {
          throw new IllegalArgumentException(
              format(
                  "%s: %s of BASE got another cargo than was sent in iteration %d: compare with"
                      + " runs whose digests are equal",
                  run.file(), turn.system(), turn.iteration()));
        }
      }
    }
  }

  /** Returns the commit if any side has one. A side without commits decides nothing then. */
  private static ComparedMetric metricOf(Side base, Side fresh, @Nullable String system) {
    List<String> systems = system == null ? base.systems() : List.of(system);
    return Stream.of(base, fresh)
            .anyMatch(
                side ->
                    systems.stream()
                        .anyMatch(one -> side.figures(ComparedMetric.COMMIT, one).length > 0))
        ? ComparedMetric.COMMIT
        : ComparedMetric.SQ;
  }

  private static String fastest(List<Difference> differences, ComparedMetric metric, Side base) {
    ComparedMetric by =
        differences.stream().anyMatch(one -> one.metric() == ComparedMetric.COMMIT)
            ? ComparedMetric.COMMIT
            : ComparedMetric.SQ;
    return differences.stream()
        .filter(one -> one.metric() == by)
        .filter(
            one ->
                differences.stream()
                    .anyMatch(
                        other -> other.system().equals(one.system()) && other.metric() == metric))
        .min(Comparator.comparingDouble(Difference::base))
        .map(Difference::system)
        .orElse(base.systems().get(base.systems().size() - 1));
  }

  /**
   * Returns the differences of cargo, link and machine that forbid to compare two runs, in words.
   *
   * @param acrossMachines whether they may be of different machines
   */
  public static List<String> unlike(ReportRun base, ReportRun fresh, boolean acrossMachines) {
    Side before = new Side(List.of(base));
    Side after = new Side(List.of(fresh));
    List<String> unlike = unlike(before, after);
    if (!acrossMachines) {
      warnOfMachines(unlike, before, after);
    }
    return escaped(unlike);
  }

  private static List<String> unlike(Side base, Side fresh) {
    List<String> unlike = new ArrayList<>();
    warnOfAll(unlike, "cargo", base, fresh, ReportRun::cargoKey, ReportRun::cargo);
    warnOfAll(unlike, "link", base, fresh, ReportRun::link, ReportRun::link);
    if (unlike.isEmpty()) {
      base.systems().stream()
          .filter(system -> isOtherCargo(base.rawBytes(system), fresh.rawBytes(system)))
          .findFirst()
          .ifPresent(
              system ->
                  unlike.add(
                      "the raw bytes of %s differ: %s in BASE, %s in NEW"
                          .formatted(
                              system,
                              texts(base.rawBytes(system)),
                              texts(fresh.rawBytes(system)))));
    }
    return unlike;
  }

  private static boolean isOtherCargo(Set<Long> before, Set<Long> after) {
    return before.size() > 1 || after.size() > 1 || (!after.isEmpty() && !after.equals(before));
  }

  private static String texts(Set<Long> numbers) {
    return numbers.stream().map(String::valueOf).collect(Collectors.joining(" and "));
  }

  /** Whether all runs have one baseline, without which ratios to it cannot be compared. */
  private static boolean haveOneBaseline(Side base, Side fresh) {
    return Stream.of(base, fresh)
            .flatMap(side -> side.runs().stream())
            .map(ReportRun::baseline)
            .distinct()
            .count()
        == 1;
  }

  private static List<Difference> differences(
      String system, Side base, Side fresh, double boundPercent) {
    List<Difference> differences = new ArrayList<>();
    for (ComparedMetric metric : ComparedMetric.values()) {
      if (metric == ComparedMetric.RELATIVE && !haveOneBaseline(base, fresh)) {
        continue;
      }
      double[] before = base.figures(metric, system);
      double[] after = fresh.figures(metric, system);
      if (before.length > 0 && after.length > 0) {
        differences.add(Difference.of(system, metric, before, after, boundPercent));
      }
    }
    return differences;
  }

  private static void warnOfMachines(List<String> warnings, Side base, Side fresh) {
    for (String name : MACHINE) {
      warn(warnings, name, base, fresh, run -> run.environment().path(name).asText("?"));
    }
    double before = memoryBytes(base.first());
    warnOfAll(
        warnings,
        "memoryBytes",
        base,
        fresh,
        run -> Math.abs(memoryBytes(run) - before) <= SAME_MEMORY * before,
        run -> run.environment().path("memoryBytes").asText("?"));
  }

  private static double memoryBytes(ReportRun run) {
    return run.environment().path("memoryBytes").asDouble();
  }

  private static void addWarnings(List<String> warnings, Side base, Side fresh) {
    warn(warnings, "baseline", base, fresh, ReportRun::baseline);
    warn(warnings, "commit", base, fresh, ReportRun::extent);
    warn(warnings, "number of workers", base, fresh, ReportRun::workers);
    warn(
        warnings,
        "jdkVersion",
        base,
        fresh,
        run -> run.environment().path("jdkVersion").asText("?"));
    for (String path : SETTINGS) {
      warn(warnings, path.substring(1), base, fresh, run -> text(run.config().at(path)));
    }
    warnOfDoubts(warnings, base, "BASE");
    warnOfDoubts(warnings, fresh, "NEW");
  }

  /** Warns of doubts that a side's own report states: counted disturbed turns, cold systems. */
  private static void warnOfDoubts(List<String> warnings, Side side, String which) {
    for (String system : side.systems()) {
      List<Run> counted =
          side.runs().stream()
              .filter(run -> run.systems().contains(system))
              .flatMap(run -> run.countedRuns(system).stream())
              .toList();
      long disturbed = counted.stream().filter(Run::disturbed).count();
      if (disturbed > 0) {
        warnings.add(
            format(
                "%s in %s: %d of %d turns were disturbed by others, too many to leave out",
                system, which, disturbed, counted.size()));
      }
      int cold = side.cold(system);
      if (cold > 0) {
        warnings.add(
            format(
                "%s in %s was not warm %s: left out",
                system, which, cold == 1 ? "once" : format("%d times", cold)));
      }
    }
  }

  private static String text(JsonNode value) {
    return value.isNull() || value.isMissingNode() ? "none" : value.asText();
  }

  private static void warn(
      List<String> warnings, String what, Side base, Side fresh, Function<ReportRun, Object> part) {
    warnOfAll(warnings, what, base, fresh, part, part);
  }

  /** Names the first run whose part differs from that of the first run in BASE. */
  private static void warnOfAll(
      List<String> warnings,
      String what,
      Side base,
      Side fresh,
      Function<ReportRun, Object> part,
      Function<ReportRun, Object> text) {
    Object before = part.apply(base.first());
    Predicate<ReportRun> isOther = run -> !Objects.equals(before, part.apply(run));
    Optional<ReportRun> inNew = fresh.runs().stream().filter(isOther).findFirst();
    inNew
        .or(() -> base.runs().stream().filter(isOther).findFirst())
        .ifPresent(
            run ->
                warnings.add(
                    "the %s differs: %s in BASE, %s in %s"
                        .formatted(
                            what,
                            text.apply(base.first()),
                            text.apply(run),
                            inNew.isPresent() ? "NEW" : "another run of it")));
  }

  /** Whether NEW is worse, and would be worse after all processes are started again. */
  public boolean isRegression() {
    return !broken.isEmpty() || !gone.isEmpty() || (decisive != null && decisive.isWorse());
  }

  /** Whether the data decide if it is a regression. */
  public boolean isDecided() {
    return isRegression() || (gaps.isEmpty() && decisive != null && decisive.isDecided());
  }

  /** The conclusion, in a line. */
  public String conclusion() {
    List<String> parts = new ArrayList<>();
    if (!broken.isEmpty()) {
      parts.add("REGRESSION: %s failed".formatted(String.join(", ", broken)));
    }
    if (!gone.isEmpty()) {
      parts.add("REGRESSION: %s not in NEW".formatted(String.join(", ", gone)));
    }
    if (!gaps.isEmpty()) {
      parts.add("cannot be told: " + String.join(", ", gaps));
    }
    Difference decider = decisive;
    if (decider == null) {
      parts.add(
          "%s was not measured warm in BASE and in NEW: nothing is decided".formatted(decides));
    } else if (decider.tooFew()) {
      parts.add(
          format(
              "%s: %d and %d warm runs or launches are too few, each side needs %d"
                  + " (throughput --launches, or several runs)",
              decides, decider.baseCount(), decider.freshCount(), Interval.MIN_RUNS));
    } else {
      parts.add(
          "%s%s: %s, %s (99 %% interval %s%s)"
              .formatted(
                  decider.isWorse() ? "REGRESSION: " : "",
                  decides,
                  decider.verdict(),
                  decider.changeText(),
                  decider.intervalText(),
                  bound(decider)));
    }
    return String.join("; ", parts);
  }

  /** Returns the words for the bound, beside an interval without a relevant change. */
  private static String bound(Difference decider) {
    if (decider.isSignificant() && !decider.isWithinBound()) {
      return "";
    }
    double bound = decider.boundPercent();
    return format(
        decider.isWithinBound()
            ? ", within %s %%"
            : ", beyond %s %%: use more runs, or a larger --within",
        bound == Math.rint(bound) ? format("%.0f", bound) : bound);
  }

  /** The differences, one per row. */
  public Table table() {
    return Table.of("Differences", differences)
        .text("system", difference -> Names.escaped(difference.system()))
        .text("metric", difference -> difference.metric().heading())
        .number("BASE", DIGITS, difference -> difference.metric().shown(difference.base()))
        .number("NEW", DIGITS, difference -> difference.metric().shown(difference.fresh()))
        .cells("change", "", true, difference -> TableCell.text(difference.changeText()))
        .cells("99 % interval", "", true, difference -> TableCell.text(difference.intervalText()))
        .text("", difference -> difference.verdict() + (isDecisive(difference) ? ", decides" : ""))
        .build();
  }

  private boolean isDecisive(Difference difference) {
    return difference.equals(decisive);
  }
}
