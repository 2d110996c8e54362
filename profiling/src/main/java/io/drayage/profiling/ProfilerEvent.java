package io.drayage.profiling;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The events that can be sampled. */
public enum ProfilerEvent {
  /** Threads on a core, in the kernel too. Weighted in nanoseconds. */
  CPU("interval=" + ProfilerEvent.CPU_INTERVAL_NS),
  /** All threads, working or waiting. Weighted in nanoseconds. */
  WALL("wall=" + ProfilerEvent.WALL_INTERVAL_NS),
  /** Allocations on the heap. Weighted in bytes. */
  ALLOC("alloc=256k"),
  /** Waits for Java's locks. Weighted in nanoseconds. */
  LOCK("lock=10us"),
  /** Allocations of native code. Weighted in bytes. */
  NATIVEMEM("nativemem=256k,nofree");

  /** Sampling interval of a thread on a core. */
  public static final long CPU_INTERVAL_NS = 1_000_000;

  /** Approximate sampling interval of each thread. */
  public static final long WALL_INTERVAL_NS = 10_000_000;

  private final String arguments;

  ProfilerEvent(String arguments) {
    this.arguments = arguments;
  }

  /** Returns the arguments for async-profiler, without the engine of {@link #CPU}. */
  String arguments() {
    return arguments;
  }

  /** Returns the name as users write it. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Returns the event with this name.
   *
   * @throws IllegalArgumentException if there is none, with a list of the names
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
