package io.drayage.bench.rig;

import static io.drayage.internal.Texts.format;

import io.drayage.bench.child.ControlMessages.Profiling;
import io.drayage.profiling.ProfilerEvent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The profiling of pairs of processes, of the first worker and the transactor, and its recordings.
 * Not thread-safe.
 */
public final class RigProfiling {
  /**
   * A recording of one end.
   *
   * @param system the contender's name
   * @param ofWorker whether it is the worker's; otherwise the transactor's
   */
  public record Recording(String system, boolean ofWorker, Path file) {}

  private final Set<ProfilerEvent> events;
  private final Path folder;
  private final List<Recording> recordings = new ArrayList<>();

  /**
   * @param events to sample
   * @param folder for the recordings; it exists
   */
  public RigProfiling(Set<ProfilerEvent> events, Path folder) {
    this.events = events;
    this.folder = folder.toAbsolutePath();
  }

  /** Returns the order for one end. */
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

  /** Returns the recordings of each system whose two ends were saved. */
  public List<Recording> recordings() {
    Set<String> incomplete =
        recordings.stream()
            .filter(recording -> !Files.exists(recording.file()))
            .map(Recording::system)
            .collect(Collectors.toSet());
    return recordings.stream()
        .filter(recording -> !incomplete.contains(recording.system()))
        .toList();
  }
}
