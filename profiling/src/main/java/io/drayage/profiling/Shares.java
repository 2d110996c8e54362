package io.drayage.profiling;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The use of one end's time, by rule. Immutable.
 *
 * <p>CPU time: all samples of {@link ProfilerEvent#CPU}. Waiting time: the samples of {@link
 * ProfilerEvent#WALL} in which a thread of a shipment had no core and wanted none.
 *
 * @param cpuNs CPU time of all samples
 * @param waitNs waiting time of all samples, summed over the threads
 * @param rows one for each rule with a share, the largest CPU time first; the last may be {@link
 *     FrameRules#UNKNOWN}
 */
public record Shares(long cpuNs, long waitNs, List<Row> rows) {
  /** Frame in which threads of the rig always wait for a command. */
  public static final String WAITS_FOR_ORDERS = "io.drayage.bench.child.ChildLoop.nextRequest";

  public Shares {
    rows = List.copyOf(rows);
  }

  /**
   * The shares of one rule, 0 to 1.
   *
   * @param cpu share of CPU time, exclusively: the shares of all rows add up to 1
   * @param waiting share of waiting time, likewise
   * @param cpuUnder share of CPU time, with all calls of its code
   * @param waitingUnder share of waiting time, likewise
   */
  public record Row(
      FrameRules.Rule rule, double cpu, double waiting, double cpuUnder, double waitingUnder) {}

  /** Computes the shares of one end's samples. */
  public static Shares of(Profile profile, FrameRules rules, ThreadRoles roles) {
    List<Sample> cpu = profile.samplesOf(ProfilerEvent.CPU).toList();
    Predicate<Sample> counts = sample -> sample.waiting() && roles.takesPart(sample.role());
    List<Sample> wait =
        profile.samplesOf(ProfilerEvent.WALL).filter(counts).filter(Shares::isOfShipment).toList();
    Tally ofCpu = Tally.of(cpu, rules);
    Tally ofWait = Tally.of(wait, rules);
    List<Row> rows = new ArrayList<>();
    Stream.concat(rules.rules().stream(), Stream.of(FrameRules.UNKNOWN))
        .map(
            rule ->
                new Row(
                    rule,
                    ofCpu.share(rule),
                    ofWait.share(rule),
                    ofCpu.shareUnder(rule),
                    ofWait.shareUnder(rule)))
        .filter(row -> row.cpu > 0 || row.waiting > 0 || row.cpuUnder > 0 || row.waitingUnder > 0)
        .sorted(
            Comparator.comparing((Row row) -> row.rule.equals(FrameRules.UNKNOWN))
                .thenComparing(Comparator.comparingDouble(Row::cpu).reversed()))
        .forEach(rows::add);
    return new Shares(ofCpu.totalNs, ofWait.totalNs, rows);
  }

  private static boolean isOfShipment(Sample sample) {
    return sample.stack().stream().noneMatch(frame -> frame.name().startsWith(WAITS_FOR_ORDERS));
  }

  /** Returns the row of a rule, without shares if the rule has none. */
  public Row row(FrameRules.Rule rule) {
    return rows.stream()
        .filter(row -> row.rule.equals(rule))
        .findFirst()
        .orElse(new Row(rule, 0, 0, 0, 0));
  }

  private record Tally(
      long totalNs, Map<FrameRules.Rule, Long> own, Map<FrameRules.Rule, Long> under) {
    static Tally of(List<Sample> samples, FrameRules rules) {
      long total = 0;
      Map<FrameRules.Rule, Long> own = new HashMap<>();
      Map<FrameRules.Rule, Long> under = new HashMap<>();
      for (Sample sample : samples) {
        total += sample.weight();
        FrameRules.Rule rule = rules.of(sample);
        own.merge(rule, sample.weight(), Long::sum);
        Set<FrameRules.Rule> callers = rules.under(sample);
        callers.add(rule);
        callers.forEach(caller -> under.merge(caller, sample.weight(), Long::sum));
      }
      return new Tally(total, own, under);
    }

    double share(FrameRules.Rule rule) {
      return totalNs == 0 ? 0 : own.getOrDefault(rule, 0L) / (double) totalNs;
    }

    double shareUnder(FrameRules.Rule rule) {
      return totalNs == 0 ? 0 : under.getOrDefault(rule, 0L) / (double) totalNs;
    }
  }
}
