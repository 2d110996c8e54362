package io.drayage.bench.rig;

import static io.drayage.internal.Texts.format;

import io.drayage.bench.child.ControlMessages.Profiling;
import io.drayage.profiling.ProfilerEvent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * How pairs of processes are profiled, the first worker and the transactor, and what came of it.
 * Not thread-safe.
 */
public final class RigProfiling {
  /**
   * A recording of one end.
   *
   * @param system the contender's name
   * @param ofWorker whether it is the worker's; if not, the transactor's
   */
  public record Recording(String system, boolean ofWorker, Path file) {}

  private final Set<ProfilerEvent> events;
  private final Path folder;
  private final List<Recording> recordings = new ArrayList<>();

  /**
   * @param events what to sample
   * @param folder takes the recordings; it exists
   */
  public RigProfiling(Set<ProfilerEvent> events, Path folder) {
    this.events = events;
    this.folder = folder.toAbsolutePath();
  }

  /** What an end is told. */
  Profiling order(Path file) {
    List<String> words = events.stream().map(ProfilerEvent::word).toList();
    return new Profiling(words, file.toString());
  }

  Path file(int number, boolean ofWorker) {
    return folder.resolve(format("%d-%s.jfr", number, ofWorker ? "worker" : "transactor"));
  }

  void add(Recording recording) {
    recordings.add(recording);
  }

  /** The recordings of each system of which both ends have saved one; there when it was saved. */
  public List<Recording> recordings() {
    Set<String> incomplete = new HashSet<>();
    for (Recording recording : recordings) {
      if (!Files.exists(recording.file())) {
        incomplete.add(recording.system());
      }
    }
    return recordings.stream()
        .filter(recording -> !incomplete.contains(recording.system()))
        .toList();
  }
}
