package io.drayage.profiling;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** What can be sampled. */
public enum ProfilerEvent {
  /** Threads that have a core, kernel included. Weighed in nanoseconds. */
  CPU("interval=" + ProfilerEvent.CPU_INTERVAL_NS),
  /** All threads, whether they work or wait. Weighed in nanoseconds. */
  WALL("wall=" + ProfilerEvent.WALL_INTERVAL_NS),
  /** Objects on the heap. Weighed in bytes. */
  ALLOC("alloc=256k"),
  /** Waits for Java's locks. Weighed in nanoseconds. */
  LOCK("lock=10us"),
  /** Memory that native code asks for. Weighed in bytes. */
  NATIVEMEM("nativemem=256k,nofree");

  /** A thread that has a core is sampled so often. */
  public static final long CPU_INTERVAL_NS = 1_000_000;

  /** Each thread is sampled about so often. */
  public static final long WALL_INTERVAL_NS = 10_000_000;

  private final String arguments;

  ProfilerEvent(String arguments) {
    this.arguments = arguments;
  }

  /** What async-profiler is told, besides the engine of {@link #CPU}. */
  String arguments() {
    return arguments;
  }

  /** The name as users write it. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * The event that users write so.
   *
   * @throws IllegalArgumentException if there is none, naming those there are
   */
  public static ProfilerEvent ofWord(String word) {
    for (ProfilerEvent event : values()) {
      if (event.word().equals(word)) {
        return event;
      }
    }
    List<String> words = Arrays.stream(values()).map(ProfilerEvent::word).toList();
    throw new IllegalArgumentException("event '%s' is none of %s".formatted(word, words));
  }
}
