package io.drayage.bench.profile;

import io.drayage.profiling.Profile.Gauge;
import io.drayage.profiling.Profile.Span;
import io.drayage.profiling.ProfilerEvent;
import io.drayage.profiling.Sample;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The last recorded iteration of a system, from the acceptance until the cargo was received.
 * Serialized by Jackson.
 *
 * @param stepMs how long a step is, in milliseconds
 * @param phases name, begin and end in milliseconds
 * @param coresByRole for each role, one figure a step: how many cores it had
 * @param wireMBps one figure a step: what left the worker's transport, in MB/s
 */
public record Timeline(
    String system,
    double stepMs,
    List<Phase> phases,
    Map<String, List<Double>> coresByRole,
    List<Double> wireMBps) {
  private static final int STEPS = 40;
  private static final long MIN_STEP_NS = 5_000_000;

  record Phase(String name, double beginMs, double endMs) {}

  static Timeline of(ProfiledEnd worker, ProfiledEnd transactor) {
    List<Span> shipments = worker.shipments();
    Span last = shipments.get(shipments.size() - 1);
    long stepNs = Math.max(MIN_STEP_NS, (last.endNs() - last.beginNs()) / STEPS);
    int steps = (int) ((last.endNs() - last.beginNs() + stepNs - 1) / stepNs);
    Map<String, List<Double>> cores = new TreeMap<>();
    for (ProfiledEnd end : List.of(worker, transactor)) {
      end.profile()
          .samplesOf(ProfilerEvent.CPU)
          .filter(sample -> last.contains(sample.atNs()))
          .forEach(sample -> add(cores, end.side(), sample, last, stepNs, steps));
    }
    List<Gauge> gauges = worker.profile().gauges();
    List<Double> wire = new ArrayList<>();
    for (int i = 0; i < steps; i++) {
      Gauge from = at(gauges, last.beginNs() + i * stepNs);
      Gauge until = at(gauges, last.beginNs() + (i + 1) * stepNs);
      double ns = Math.max(1, until.atNs() - from.atNs());
      wire.add((until.sentBytes() - from.sentBytes()) / ns * 1e3);
    }
    List<Phase> phases =
        worker.phases().stream()
            .filter(span -> span.beginNs() >= last.beginNs() && span.endNs() <= last.endNs())
            .map(
                span ->
                    new Phase(
                        span.name(),
                        (span.beginNs() - last.beginNs()) / 1e6,
                        (span.endNs() - last.beginNs()) / 1e6))
            .toList();
    return new Timeline(worker.system(), stepNs / 1e6, phases, cores, wire);
  }

  private static void add(
      Map<String, List<Double>> cores,
      String side,
      Sample sample,
      Span last,
      long stepNs,
      int steps) {
    List<Double> row =
        cores.computeIfAbsent(
            side + ": " + sample.role(),
            unseen -> new ArrayList<>(Collections.nCopies(steps, 0.0)));
    int step = (int) ((sample.atNs() - last.beginNs()) / stepNs);
    row.set(step, row.get(step) + sample.weight() / (double) stepNs);
  }

  /** The gauge that is nearest to a moment. */
  private static Gauge at(List<Gauge> gauges, long atNs) {
    return gauges.stream()
        .min(Comparator.comparingLong(gauge -> Math.abs(gauge.atNs() - atNs)))
        .orElse(new Gauge(atNs, 0));
  }
}
