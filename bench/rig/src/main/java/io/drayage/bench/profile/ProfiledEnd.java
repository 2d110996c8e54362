package io.drayage.bench.profile;

import io.drayage.bench.rig.RigProfiling.Recording;
import io.drayage.bench.statistics.Interval;
import io.drayage.profiling.FrameRules;
import io.drayage.profiling.Profile;
import io.drayage.profiling.Profile.Span;
import io.drayage.profiling.ProfilerEvent;
import io.drayage.profiling.Shares;
import io.drayage.profiling.ThreadRoles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One end of one system, with its samples of S+Q: from the acceptance until the transactor has
 * received the cargo, in all recorded iterations. The phases are those of the worker, whose clock
 * is also the transactor's.
 *
 * @param phases the phases of S+Q
 */
public record ProfiledEnd(
    String system, boolean ofWorker, Path file, Profile profile, Shares shares, List<Span> phases) {
  /** The phases in their order; {@code drain} may be empty. */
  static final List<String> PHASES = List.of("serialize", "drain", "decode");

  private static final double WARM_BELOW = 0.1;
  private static final Set<String> OF_SQ = Set.copyOf(PHASES);

  /** Reads both ends of every system, worker first. */
  static List<ProfiledEnd> read(List<Recording> recordings, FrameRules rules) throws IOException {
    ThreadRoles roles = ThreadRoles.ofDrayage();
    List<ProfiledEnd> ends = new ArrayList<>();
    List<Span> phases = List.of();
    for (Recording recording : recordings) {
      Profile whole = Profile.read(recording.file(), roles);
      if (recording.ofWorker()) {
        phases = whole.phases().stream().filter(span -> OF_SQ.contains(span.name())).toList();
      }
      Profile profile = whole.within(phases);
      ends.add(
          new ProfiledEnd(
              recording.system(),
              recording.ofWorker(),
              recording.file(),
              profile,
              Shares.of(profile, rules, roles),
              phases));
    }
    return List.copyOf(ends);
  }

  /** Checks whether the JIT compiler had too much of the CPU time: the code was not warm. */
  boolean isDefective() {
    return shares.rows().stream()
            .filter(row -> row.rule().id().equals(SuspectTable.COMPILER))
            .mapToDouble(Shares.Row::cpu)
            .sum()
        > WARM_BELOW;
  }

  String side() {
    return ofWorker ? "worker" : "transactor";
  }

  /** Returns the number of recorded cargoes. */
  int iterations() {
    return (int) phases.stream().filter(span -> span.name().equals(PHASES.get(0))).count();
  }

  /** Returns the CPU time of all threads, in seconds per iteration. */
  double cpuS() {
    return shares.cpuNs() / 1e9 / Math.max(1, iterations());
  }

  /** Returns the end as a row of JSON. */
  Map<String, Object> row() {
    Shares.Row unknown = shares.row(FrameRules.UNKNOWN);
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("system", system);
    row.put("side", side());
    row.put("file", fileBesidePage());
    row.put("iterations", iterations());
    row.put("cpuSamples", cpuSamples());
    row.put("cpuS", cpuS());
    row.put("waitingS", shares.waitNs() / 1e9);
    row.put("unknownCpu", unknown.cpu());
    row.put("unknownWaiting", unknown.waiting());
    row.put("segments", profile.count("io.drayage.Segment"));
    row.put("creditStalls", profile.count("io.drayage.CreditStall"));
    row.put("queueDepths", profile.count("io.drayage.QueueDepth"));
    row.put("collections", profile.count("jdk.GarbageCollection"));
    return row;
  }

  /** Returns the share of a rule in the CPU time, with all that its code calls. */
  Interval cpuUnder(FrameRules.Rule rule) {
    return Interval.ofShare(shares.row(rule).cpuUnder(), cpuSamples());
  }

  long cpuSamples() {
    return profile.samplesOf(ProfilerEvent.CPU).count();
  }

  String fileBesidePage() {
    return ProfileRun.RECORDINGS + "/" + file.getFileName();
  }
}
