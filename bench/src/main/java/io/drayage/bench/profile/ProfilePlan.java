package io.drayage.bench.profile;

import io.drayage.bench.rig.RigPlan;
import io.drayage.bench.system.Contender;
import io.drayage.profiling.ProfilerEvent;
import java.nio.file.Path;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * What a session records.
 *
 * @param recorded the systems, no two alike, and the cargo that is recorded; its iterations are
 *     those of each pair of processes
 * @param smaller the same with the cargo of early warm-ups and experiments, which is not larger
 * @param experiments turns of the experiments; 0 for none
 * @param experimentWarmup turns before them
 * @param events to sample
 * @param kernelFrames whether samples of the processor show the kernel's frames, where permitted
 * @param folder of the page
 */
public record ProfilePlan(
    RigPlan recorded,
    RigPlan smaller,
    int experiments,
    int experimentWarmup,
    Set<ProfilerEvent> events,
    boolean kernelFrames,
    Path folder) {
  private static final String BASELINE = "grpc:java+none";

  public ProfilePlan {
    events = Collections.unmodifiableSet(EnumSet.copyOf(events)); // in the order of the enum
  }

  /** The names of the systems. */
  List<String> systems() {
    return recorded.contenders().stream().map(Contender::name).toList();
  }

  /** The name of the system that the others are compared with. */
  String baseline() {
    return systems().contains(BASELINE) ? BASELINE : systems().get(0);
  }

  /** How many steps the session of a system has. */
  int steps(Contender system) {
    int contenders = experiments == 0 ? 0 : 1 + Experiment.of(system).size();
    return 2 * (1 + recorded.warmup() + recorded.iterations())
        + contenders * (experimentWarmup + experiments);
  }
}
