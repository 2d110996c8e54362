package io.drayage.bench.profile;

import io.drayage.bench.link.Link;
import io.drayage.bench.rig.HeapPlan;
import io.drayage.bench.system.SystemUnderTest;
import io.drayage.profiling.ProfilerEvent;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * What a session records.
 *
 * @param systems to be profiled, no two alike
 * @param cargo as users write it
 * @param seed of its values
 * @param sizes of the cargoes, if their source has a choice
 * @param heap the memory of a pair of processes
 * @param events to sample
 * @param kernelFrames whether samples of the processor show the kernel's frames, where permitted
 * @param turns how many iterations there are
 * @param link between the processes; the caller closes it
 * @param folder of the page; exists
 */
public record ProfilePlan(
    List<SystemUnderTest> systems,
    String cargo,
    long seed,
    Sizes sizes,
    HeapPlan heap,
    Set<ProfilerEvent> events,
    boolean kernelFrames,
    Turns turns,
    Link link,
    Path folder) {
  private static final String BASELINE = "grpc:java+none";

  public ProfilePlan {
    systems = List.copyOf(systems);
    events = Set.copyOf(events);
  }

  /**
   * The sizes of the cargoes.
   *
   * @param recordedBytes of the one that is recorded
   * @param experimentBytes of that of early warm-ups and experiments, not larger
   */
  public record Sizes(long recordedBytes, long experimentBytes) {}

  /**
   * How many iterations there are.
   *
   * @param measured of each pair of processes
   * @param warmup before them
   * @param experiments turns of the experiments; 0 for none
   * @param experimentWarmup turns before them
   */
  public record Turns(int measured, int warmup, int experiments, int experimentWarmup) {}

  /** About how much memory the session needs: a system has two pairs of processes. */
  public static long neededBytes(List<SystemUnderTest> systems, HeapPlan heap) {
    return systems.stream().mapToLong(system -> 2 * heap.pairBytes(system)).max().orElseThrow();
  }

  /** The names of the systems. */
  List<String> names() {
    return systems.stream().map(SystemUnderTest::toString).toList();
  }

  /** The name of the system that the others are compared with. */
  String baseline() {
    return names().contains(BASELINE) ? BASELINE : names().get(0);
  }
}
