package io.drayage.bench.result;

import static io.drayage.internal.Texts.format;

import io.drayage.bench.statistics.Interval;
import io.drayage.internal.Counted;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The verdict of a comparison, in words. S+Q comes first, because systems differ in it. The whole
 * commit, of which S+Q is a part, follows.
 */
public final class Verdict {
  private final List<Summary> summaries;
  private final String baseline;
  private final Measurement measured;

  /** The systems that succeeded, the fastest first, without rungs that are compared by commits. */
  private final List<Summary> sound;

  /**
   * Creates the verdict of a comparison.
   *
   * @param summaries one per system, at least one
   * @param baseline one of them
   */
  public Verdict(List<Summary> summaries, String baseline, Measurement measured) {
    this.summaries = List.copyOf(summaries);
    this.baseline = baseline;
    this.measured = measured;
    Comparator<Summary> byTime =
        Comparator.comparing(summary -> Objects.requireNonNull(summary.sqMedianS()));
    List<Summary> compared =
        summaries.stream().filter(one -> one.step() == null || !one.step().byCommit()).toList();
    this.sound =
        compared.stream()
            .filter(one -> one.status() == Status.OK && one.sqMedianS() != null)
            .sorted(
                compared.stream().allMatch(one -> one.sqSpeedup() != null)
                    ? Comparator.comparing(one -> -Objects.requireNonNull(one.sqSpeedup()))
                    : byTime)
            .toList();
  }

  /** Returns the answer: one to three sentences, after the reasons not to rely on them. */
  public String answer() {
    if (sound.isEmpty()) {
      return "No system went well.";
    }
    Summary best = sound.get(0);
    if (summaries.size() == 1) {
      return figures(best) + ".";
    }
    if (best.sqSpeedup() == null) {
      return "%s, the fastest; but nothing is compared, since the baseline %s failed."
          .formatted(figures(best), baseline);
    }
    List<Summary> tied = sound.stream().skip(1).filter(other -> !isShown(best, other)).toList();
    String commits = isBase(best) ? "" : " " + commits(best, !tied.isEmpty());
    return reservation(best)
        + speed(best, tied)
        + commits
        + basis(best)
        + (isWarmEnough() ? compilerEffect(" The ", ".") : "");
  }

  private boolean isBase(Summary summary) {
    return summary.system().equals(baseline);
  }

  private static String figures(Summary summary) {
    return format(
        "%s: S+Q %.3f s%s, %.2f GB/s",
        summary.system(),
        summary.sqMedianS(),
        summary.commitMedianS() == null ? "" : format(", commit %.3f s", summary.commitMedianS()),
        Objects.requireNonNull(summary.figures().rawMBps()) / 1e3);
  }

  /** Whether one system was faster, and not at random. With few turns, this is assumed. */
  private boolean isShown(Summary fast, Summary slow) {
    Speedup speedup =
        isBase(slow)
            ? fast.sq()
            : Summary.speedup(fast.system(), slow.system(), measured.runs(), Run::sqS);
    return speedup.low() == null || speedup.low() > 1;
  }

  private String speed(Summary best, List<Summary> tied) {
    if (isBase(best)) {
      if (sound.size() == 1) {
        return "The baseline %s is the only one that went well.".formatted(baseline);
      }
      Summary next = sound.get(1);
      return tied.isEmpty()
          ? "The baseline %s is the fastest; %s is %s as fast in S+Q%s."
              .formatted(baseline, next.system(), times(next.sq().times()), interval(next.sq()))
          : noDifference(tied.get(0));
    }
    if (tied.stream().anyMatch(this::isBase)) {
      return noDifference(best);
    }
    if (!tied.isEmpty()) {
      List<Summary> leaders = new ArrayList<>(List.of(best));
      leaders.addAll(tied);
      return "%s cannot be told apart: in S+Q they are %s as fast as %s."
          .formatted(
              list(leaders, Summary::system),
              list(leaders, one -> times(one.sq().times()) + range(one.sq())),
              baseline);
    }
    return "%s is %s as fast as %s in S+Q%s."
        .formatted(best.system(), times(best.sq().times()), baseline, interval(best.sq()));
  }

  private String noDifference(Summary other) {
    return "No difference shown in S+Q between %s and the baseline %s: %s times as fast contains 1."
        .formatted(
            other.system(),
            baseline,
            "the 95 % interval of" + range(other.sq()).replaceAll("[()]", ""));
  }

  /** Describes the whole commit, so that a reader does not apply the factor of S+Q to it. */
  private String commits(Summary best, boolean isTied) {
    Speedup commit = best.commit();
    if (commit.times() == null) {
      return "It does not commit.";
    }
    String what =
        (isWhole() ? "The whole commit" : "The commit into memory")
            + (isTied ? " of " + best.system() : "");
    Summary leader =
        sound.stream()
            .filter(one -> one.commitSpeedup() != null)
            .max(Comparator.comparing(one -> Objects.requireNonNull(one.commitSpeedup())))
            .orElse(best);
    Speedup lead = Summary.speedup(leader.system(), best.system(), measured.runs(), Run::commitS);
    boolean isOther = lead.low() != null && lead.low() > 1;
    String own =
        commit.low() != null && commit.low() <= 1 && Objects.requireNonNull(commit.high()) >= 1
            ? what + ": no difference shown" + interval(commit)
            : "%s is %s as fast%s".formatted(what, times(commit.times()), range(commit));
    return own
        + downloaded(best)
        + (isOther
            ? "; that of %s %s%s."
                .formatted(leader.system(), times(leader.commitSpeedup()), range(leader.commit()))
            : ".");
  }

  /** Describes the commit that downloads its snapshot, as in the published system. */
  private static String downloaded(Summary best) {
    Speedup downloaded = best.downloadedCommit();
    return best.downloadedBesideMedianS() == null || downloaded.times() == null
        ? ""
        : ", %s%s if it downloads its snapshot as well"
            .formatted(digits(downloaded.times()), range(downloaded));
  }

  private boolean isWhole() {
    return sound.stream().anyMatch(summary -> summary.commitOverSq() != null);
  }

  /** Returns the reasons why the systems cannot be distinguished yet; empty if there are none. */
  private String reservation(Summary best) {
    List<String> reasons = new ArrayList<>();
    int turns = best.counts().turns();
    if (turns < Interval.MIN_TURNS && sound.size() > 1) {
      reasons.add(
          format(
              "%s %s too few for an interval, which needs %d",
              Counted.of(turns, "turn"), turns == 1 ? "is" : "are", Interval.MIN_TURNS));
    }
    if (!isWarmEnough()) {
      List<Summary> cold = withWarmth(false);
      reasons.add(
          (cold.size() == summaries.size()
                  ? "NONE WAS WARM"
                  : "NOT WARM: " + String.join(", ", cold.stream().map(Summary::system).toList()))
              + compilerEffect(" (the ", ")"));
    }
    return reasons.isEmpty()
        ? ""
        : "CANNOT BE TOLD: %s. So far: ".formatted(String.join("; ", reasons));
  }

  /**
   * Checks whether each ratio would stay within its interval, whatever the compiler could still
   * change.
   */
  private boolean isWarmEnough() {
    return uncertain().allMatch(this::staysWithinInterval);
  }

  private boolean staysWithinInterval(Summary one) {
    Double change = compilerEffect(one);
    Double low = one.sq().low();
    Double high = one.sq().high();
    if (change == null || low == null || high == null) {
      return false;
    }
    double times = Objects.requireNonNull(one.sqSpeedup());
    return times * (1 + change) <= high && times / (1 + change) >= low;
  }

  private @Nullable Double compilerEffect(Summary one) {
    Summary base = summaries.stream().filter(this::isBase).findAny().orElseThrow();
    return CompilerEffect.most(one, base, measured.runs());
  }

  /** Says the largest change that the compiler could still cause; empty if it is not known. */
  private String compilerEffect(String before, String after) {
    List<@Nullable Double> changes =
        uncertain().map(this::compilerEffect).collect(Collectors.toList());
    return changes.isEmpty() || changes.contains(null)
        ? ""
        : before
            + format(
                "compiler could still change a ratio by at most %.0f %%",
                100 * Collections.max(changes))
            + after;
  }

  /** Returns the systems whose ratio is of a system that was not warm. */
  private Stream<Summary> uncertain() {
    List<Summary> cold = withWarmth(false);
    boolean isBaseCold = cold.stream().anyMatch(this::isBase);
    return summaries.stream()
        .filter(one -> !isBase(one) && one.sqSpeedup() != null)
        .filter(one -> isBaseCold || cold.contains(one));
  }

  private String basis(Summary best) {
    int turns = best.counts().turns();
    boolean areAllWarm = withWarmth(false).isEmpty() && !withWarmth(true).isEmpty();
    return turns < Interval.MIN_TURNS && sound.size() > 1
        ? ""
        : " From %s%s.".formatted(Counted.of(turns, "turn"), areAllWarm ? ", all warm" : "");
  }

  private List<Summary> withWarmth(boolean warm) {
    return summaries.stream()
        .filter(summary -> Boolean.valueOf(warm).equals(summary.warmth().warm()))
        .toList();
  }

  /** Returns the remarks beside the answer: a line each. */
  public List<String> remarks() {
    List<String> remarks = new ArrayList<>();
    remarks.add(health());
    largestStep(remarks);
    warmth(remarks);
    machine(remarks);
    return remarks;
  }

  private String health() {
    List<Run> runs = measured.runs();
    long ok = runs.stream().filter(run -> run.status() == Status.OK).count();
    String skipped =
        summaries.stream()
            .filter(summary -> summary.status() == Status.SKIPPED)
            .map(Summary::system)
            .collect(Collectors.joining(", "));
    String counts =
        format(
            "%d of %d runs ok%s", ok, runs.size(), skipped.isEmpty() ? "" : ", skipped " + skipped);
    if (runs.stream().anyMatch(run -> Boolean.FALSE.equals(run.digestOk()))) {
      return counts + ", digests differ";
    }
    return ok == runs.size() ? counts + ", digests equal" : counts;
  }

  private void largestStep(List<String> remarks) {
    summaries.stream()
        .map(Summary::step)
        .filter(Objects::nonNull)
        .filter(step -> step.gain() != null)
        .max(Comparator.comparing(step -> Objects.requireNonNull(step.gain())))
        .ifPresent(
            step ->
                remarks.add(
                    "the largest step is '%s': %s as fast as the rung before it%s"
                        .formatted(
                            step.change(),
                            times(step.gain()),
                            range(new Speedup(step.gain(), step.gainLow(), step.gainHigh())))));
  }

  private void warmth(List<String> remarks) {
    for (Summary cold : withWarmth(false)) {
      remarks.add("not warm, %s: %s".formatted(cold.system(), cold.warmth().reason()));
    }
  }

  private void machine(List<String> remarks) {
    Double others = measured.othersBusyPercent();
    if (others == null) {
      return;
    }
    long disturbed = measured.runs().stream().filter(Run::disturbed).count();
    remarks.add(
        format("others kept %.0f %% of the CPUs busy", others)
            + (disturbed == 0
                ? ""
                : isQuiet()
                    ? "; left out: %s".formatted(Counted.of(disturbed, "disturbed run"))
                    : format(
                        "; %d of %d runs were disturbed, too many to leave out: measure again",
                        disturbed, measured.runs().size())));
  }

  /** Whether the ratios are without disturbed turns. */
  private boolean isQuiet() {
    return summaries.stream()
        .allMatch(one -> one.counts().turnsDisturbed() == 0 || isQuietEnough(one));
  }

  private static boolean isQuietEnough(Summary summary) {
    return summary.counts().runsOk() - summary.counts().turnsDisturbed() >= Interval.MIN_TURNS;
  }

  /** Whether a warm system is faster, and not at random or because of other processes. */
  public boolean isShown() {
    return sound.size() > 1
        && withWarmth(false).isEmpty()
        && isQuiet()
        && sound.get(0).sqSpeedup() != null
        && sound.stream().skip(1).allMatch(other -> isShown(sound.get(0), other));
  }

  /** Whether more turns would change little. */
  public boolean isSettled() {
    return Summary.isSettled(baseline, measured.runs());
  }

  /** Whether nothing failed. */
  public boolean isSound() {
    return summaries.stream().noneMatch(summary -> summary.status() == Status.FAILED);
  }

  /**
   * Returns the ratio to the baseline so far, such as {@code 5.13x (4.91 to 5.37)}; empty for the
   * baseline, and before both had a turn.
   */
  public static String running(String system, String baseline, List<Run> runs) {
    Speedup speedup = Summary.speedup(system, baseline, runs, Run::sqS);
    return system.equals(baseline) || speedup.times() == null
        ? ""
        : format("%.2fx%s", speedup.times(), range(speedup));
  }

  private static String times(@Nullable Double times) {
    return digits(times) + " times";
  }

  private static String interval(Speedup speedup) {
    String range = range(speedup);
    return range.isEmpty() ? "" : range.replace("(", "(95 % interval ");
  }

  private static String range(Speedup speedup) {
    Double low = speedup.low();
    Double high = speedup.high();
    return low == null || high == null ? "" : " (%s to %s)".formatted(digits(low), digits(high));
  }

  private static String digits(@Nullable Double times) {
    return times == null || times < 10 ? format("%.2f", times) : format("%.1f", times);
  }

  private static String list(List<Summary> summaries, Function<Summary, String> text) {
    List<String> texts = summaries.stream().map(text).toList();
    int last = texts.size() - 1;
    return String.join(", ", texts.subList(0, last)) + " and " + texts.get(last);
  }
}
