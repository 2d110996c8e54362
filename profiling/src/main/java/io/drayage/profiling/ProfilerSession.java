package io.drayage.profiling;

import io.drayage.metrics.DrayageMetrics;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import jdk.jfr.Recording;
import one.profiler.AsyncProfiler;
import org.jspecify.annotations.Nullable;

/**
 * Profiles this JVM in windows, {@link #resume} to {@link #pause}, and leaves one recording of all
 * of them: samples of async-profiler, the events of this library ({@code io.drayage.*}) and the
 * collections of the JVM. It opens in JDK Mission Control.
 *
 * <p>Both recorders write separate files; a recording is a sequence of self-contained chunks, so
 * {@link #finish} concatenates the files.
 *
 * <p>One session per JVM at a time. Not thread-safe.
 */
public final class ProfilerSession implements AutoCloseable {
  /** So many Java frames of a stack are kept. */
  private static final int MAX_STACK_FRAMES = 512;

  private static final String[] EVERY_ONE = {
    "io.drayage.Phase", "io.drayage.Segment", "io.drayage.CreditStall", "io.drayage.Reconnect"
  };
  private static final String[] OF_THE_JVM = {"jdk.GarbageCollection", "jdk.GCPhasePause"};
  private static final String QUEUE_DEPTH = "io.drayage.QueueDepth";
  private static final Duration PERIOD = Duration.ofMillis(10);

  private final AsyncProfiler profiler;
  private final ProfilerOffer offer;
  private final Set<ProfilerEvent> events;
  private final Path target;
  private final Path samples;
  private final UtilisationWatch watch;
  private final List<Path> windows = new ArrayList<>();

  /** Of the window that is open. */
  private @Nullable Recording recording;

  /**
   * Runs between windows and is never read: it keeps Flight Recorder's events enabled. Toggling
   * them changes classes and makes the JVM recompile the code that uses them.
   */
  private @Nullable Recording between;

  private ProfilerSession(
      AsyncProfiler profiler,
      ProfilerOffer offer,
      Set<ProfilerEvent> events,
      Path target,
      DrayageMetrics metrics) {
    this.profiler = profiler;
    this.offer = offer;
    this.events = events;
    this.target = target;
    this.samples = beside(target, "samples");
    this.watch = new UtilisationWatch(metrics);
    this.between = startRecording();
  }

  /**
   * Opens a session. Nothing is kept before the first window.
   *
   * @param events what to sample
   * @param kernelFrames as in {@link ProfilerOffer#of}
   * @param target the file of the recording, one of which {@link ProfilerOffer#canWriteTo} is true;
   *     replaced
   * @param metrics of this end, for the events about its utilisation
   * @throws ProfilerException if there is no profiler here, or none of the events works; one that
   *     does not work beside others is left out, see {@link #offer}
   */
  public static ProfilerSession open(
      Set<ProfilerEvent> events, boolean kernelFrames, Path target, DrayageMetrics metrics)
      throws ProfilerException {
    AsyncProfiler profiler = ProfilerOffer.library();
    ProfilerOffer offer = ProfilerOffer.of(events, kernelFrames);
    Set<ProfilerEvent> usable = EnumSet.copyOf(events);
    usable.removeAll(offer.refused().keySet());
    offer.requireAny(events);
    return new ProfilerSession(profiler, offer, usable, target, metrics);
  }

  /** What this machine offers. */
  public ProfilerOffer offer() {
    return offer;
  }

  /** Records from now on. */
  public void resume() throws IOException {
    if (recording != null) {
      throw new IllegalStateException("a window is open");
    }
    recording = startRecording();
    endBetween();
    profiler.execute((windows.isEmpty() ? "start," : "resume,") + arguments());
  }

  private static Recording startRecording() {
    Recording begun = new Recording();
    for (String event : EVERY_ONE) {
      begun.enable(event).withoutThreshold();
    }
    for (String event : OF_THE_JVM) {
      begun.enable(event);
    }
    begun.enable(QUEUE_DEPTH).withPeriod(PERIOD);
    begun.enable(UtilisationEvent.NAME).withPeriod(PERIOD);
    begun.setToDisk(true);
    begun.start();
    return begun;
  }

  private void endBetween() {
    Recording ended = between;
    between = null;
    if (ended != null) {
      ended.close();
    }
  }

  private String arguments() {
    List<String> arguments = new ArrayList<>();
    if (events.contains(ProfilerEvent.CPU)) {
      arguments.add("event=" + offer.engine());
    }
    events.forEach(event -> arguments.add(event.arguments()));
    arguments.add("jstackdepth=" + MAX_STACK_FRAMES);
    arguments.add("jfr");
    arguments.add("file=" + samples);
    return String.join(",", arguments);
  }

  /** Records nothing from now on. */
  public void pause() throws IOException {
    Recording ended = recording;
    if (ended == null) {
      throw new IllegalStateException("no window is open");
    }
    recording = null;
    try (ended) {
      profiler.execute("stop");
      between = startRecording();
      ended.stop();
      Path window = beside(target, "window-" + (windows.size() + 1));
      ended.dump(window);
      windows.add(window);
    }
  }

  /** Drops what was recorded so far: in its first windows a JVM still compiles. */
  public void discard() throws IOException {
    if (recording != null) {
      throw new IllegalStateException("a window is open");
    }
    deleteParts();
    windows.clear();
  }

  /**
   * Ends the session, and puts all windows into the one recording.
   *
   * @return the recording
   */
  public Path finish() throws IOException {
    if (recording != null) {
      pause();
    }
    endBetween();
    watch.close();
    try (OutputStream out = Files.newOutputStream(target)) {
      for (Path window : windows) {
        Files.copy(window, out);
      }
      if (Files.exists(samples)) {
        Files.copy(samples, out);
      }
    }
    deleteParts();
    return target;
  }

  /** Ends the session; without {@link #finish} before, without a recording. */
  @Override
  public void close() throws IOException {
    if (recording != null) {
      pause();
    }
    endBetween();
    watch.close();
    deleteParts();
  }

  private void deleteParts() throws IOException {
    for (Path window : windows) {
      Files.deleteIfExists(window);
    }
    Files.deleteIfExists(samples);
  }

  private static Path beside(Path target, String part) {
    return target.resolveSibling(target.getFileName() + "." + part);
  }
}
