package io.drayage.profiling;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import one.profiler.AsyncProfiler;
import org.jspecify.annotations.Nullable;

/**
 * The profiler's abilities in this JVM, found by starting and stopping each event once.
 *
 * @param version async-profiler's
 * @param engine that samples {@link ProfilerEvent#CPU}; null if none does
 * @param kernelFramesAsked whether CPU samples were to show the kernel's frames
 * @param kernelFrames whether they show them, by name
 * @param refused the events that do not work, with the reasons
 */
public record ProfilerOffer(
    String version,
    @Nullable String engine,
    boolean kernelFramesAsked,
    boolean kernelFrames,
    Map<ProfilerEvent, String> refused) {
  /** Best first: perf events see the kernel; timers of each thread are fairer than a common one. */
  private static final List<String> ENGINES = List.of("cpu", "ctimer", "itimer");

  private static final String FOR_KERNEL_FRAMES =
      " (for them: root, or sysctl kernel.perf_event_paranoid=1 kernel.kptr_restrict=0)";

  private static final Path PARANOID = Path.of("/proc/sys/kernel/perf_event_paranoid");
  private static final Path SYMBOLS = Path.of("/proc/kallsyms");

  public ProfilerOffer {
    refused = Map.copyOf(refused);
  }

  /**
   * Loads the profiler of this platform.
   *
   * @throws ProfilerException if there is none, with the remedy
   */
  static AsyncProfiler library() throws ProfilerException {
    if (ModuleLayer.boot().findModule("jdk.jfr").isEmpty()) {
      throw new ProfilerException(
          "this Java has no Flight Recorder: run a JDK that contains the module jdk.jfr", null);
    }
    String platform =
        System.getProperty("os.name")
            + " "
            + System.getProperty("os.arch").toLowerCase(Locale.ROOT);
    try {
      return AsyncProfiler.getInstance();
    } catch (LinkageError | RuntimeException e) {
      throw new ProfilerException(
          "there is no profiler for %s with %s (%s): run without a profile, or on Linux (x64, arm64) or macOS with a HotSpot JVM and a writable, executable java.io.tmpdir"
              .formatted(platform, System.getProperty("java.vm.name"), oneLine(e)),
          e);
    }
  }

  /**
   * Checks whether a recording can be written to a file of this name: the profiler splits its
   * options at commas, and expands percent signs.
   */
  public static boolean canWriteTo(Path target) {
    String name = target.toAbsolutePath().toString();
    return name.indexOf(',') < 0 && name.indexOf('%') < 0;
  }

  /**
   * Tries {@code events}. No session may be open.
   *
   * @param kernelFrames whether {@link ProfilerEvent#CPU} is to show the kernel's frames where that
   *     is permitted. This needs perf events, which a virtual machine rearms at each context
   *     switch. Systems that switch often then run much slower than without a recording
   * @throws ProfilerException if there is no profiler for this platform
   */
  public static ProfilerOffer of(Set<ProfilerEvent> events, boolean kernelFrames)
      throws ProfilerException {
    AsyncProfiler profiler = library();
    Map<ProfilerEvent, String> refused = new EnumMap<>(ProfilerEvent.class);
    String engine = null;
    for (ProfilerEvent event : events) {
      if (event == ProfilerEvent.CPU) {
        List<String> reasons = new ArrayList<>();
        engine = firstEngine(profiler, kernelFrames, reasons);
        if (engine == null) {
          refused.put(event, String.join("; ", reasons));
        }
      } else {
        String reason = whyNot(profiler, "event=%s".formatted(event.word()));
        if (reason != null) {
          refused.put(event, reason);
        }
      }
    }
    boolean kernel = "cpu".equals(engine) && kernelIsVisible();
    return new ProfilerOffer(profiler.getVersion(), engine, kernelFrames, kernel, refused);
  }

  private static @Nullable String firstEngine(
      AsyncProfiler profiler, boolean kernelFrames, List<String> reasons) {
    for (String engine : ENGINES) {
      // Without the kernel's frames, perf events show no more than a timer, and need descriptors.
      if (engine.equals("cpu") && !(kernelFrames && kernelIsVisible())) {
        reasons.add("perf events are not permitted");
        continue;
      }
      String reason = whyNot(profiler, "event=" + engine);
      if (reason == null) {
        return engine;
      }
      reasons.add(engine + ": " + reason);
    }
    return null;
  }

  private static @Nullable String whyNot(AsyncProfiler profiler, String event) {
    try {
      profiler.execute("start," + event);
      profiler.execute("stop");
      return null;
    } catch (IllegalArgumentException | IllegalStateException | IOException e) {
      return oneLine(e);
    }
  }

  /** Checks whether this process may sample the kernel and read the names of its functions. */
  static boolean kernelIsVisible() {
    String paranoid = firstLine(PARANOID);
    if (paranoid == null) {
      return false;
    }
    String symbol = firstLine(SYMBOLS);
    boolean named = symbol != null && !symbol.startsWith("0000000000000000");
    return named
        && (Integer.parseInt(paranoid.strip()) <= 1
            || "root".equals(System.getProperty("user.name")));
  }

  private static @Nullable String firstLine(Path file) {
    try (var lines = Files.lines(file)) {
      return lines.findFirst().orElse(null);
    } catch (IOException | java.io.UncheckedIOException e) {
      return null;
    }
  }

  static String oneLine(Throwable e) {
    String text = e.getMessage() == null ? e.toString() : e.getMessage();
    return text.strip().replaceAll("\\s*\\R\\s*", "; ");
  }

  /**
   * Checks that one of {@code events} works.
   *
   * @throws ProfilerException if none works, with the reasons
   */
  public void requireAny(Set<ProfilerEvent> events) throws ProfilerException {
    if (refused.keySet().containsAll(events)) {
      throw new ProfilerException(
          "%s: name other events (--event), or run without a profile"
              .formatted(String.join("; ", statements(events))),
          null);
    }
  }

  /** Returns the way in which each of {@code events} is sampled, one readable line each. */
  public List<String> statements(Set<ProfilerEvent> events) {
    List<String> lines = new ArrayList<>();
    for (ProfilerEvent event : events) {
      String reason = refused.get(event);
      if (reason != null) {
        lines.add("%s: not offered here (%s)".formatted(event.word(), reason));
      } else if (event == ProfilerEvent.CPU) {
        lines.add(
            kernelFrames
                ? "cpu: perf's software clock, with the kernel's frames"
                : "cpu: %s instead of perf events, without the kernel's frames%s"
                    .formatted(engine, kernelFramesAsked ? FOR_KERNEL_FRAMES : ""));
      } else {
        lines.add(event.word() + ": as asked");
      }
    }
    return lines;
  }
}
