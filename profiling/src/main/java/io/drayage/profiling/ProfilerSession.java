package io.drayage.profiling;

import io.drayage.metrics.DrayageMetrics;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;
import one.profiler.AsyncProfiler;

/**
 * Profiles this JVM from {@link #record} to {@link #finish}, and writes one recording: samples of
 * async-profiler, the events of this library ({@code io.drayage.*}) and the garbage collections.
 * JDK Mission Control can open it.
 *
 * <p>Both recorders write separate files. A recording is a sequence of self-contained chunks, so
 * {@link #finish} concatenates the files.
 *
 * <p>Flight Recorder's events are enabled as long as a session is open. Toggling them would change
 * classes and make the JVM recompile the code that uses them. So a JVM is warmed with its session
 * open.
 *
 * <p>One session per JVM at a time. Not thread-safe.
 */
public final class ProfilerSession implements AutoCloseable {
  /** Number of Java frames of a stack that are kept. */
  private static final int MAX_STACK_FRAMES = 512;

  private static final List<String> EVERY_ONE =
      List.of(
          "io.drayage.Phase",
          "io.drayage.Segment",
          "io.drayage.CreditStall",
          "io.drayage.Reconnect");

  private static final List<String> OF_THE_JVM =
      List.of("jdk.GarbageCollection", "jdk.GCPhasePause");
  private static final String QUEUE_DEPTH = "io.drayage.QueueDepth";
  private static final Duration PERIOD = Duration.ofMillis(10);

  private final AsyncProfiler profiler;
  private final Set<ProfilerEvent> events;
  private final Path target;
  private final Path samples;
  private final Runnable utilisation;
  private Recording recording;
  private boolean isSampling;

  private ProfilerSession(
      AsyncProfiler profiler, Set<ProfilerEvent> events, Path target, DrayageMetrics metrics) {
    this.profiler = profiler;
    this.events = EnumSet.copyOf(events);
    this.target = target;
    this.samples = target.resolveSibling(target.getFileName() + ".samples");
    this.utilisation = () -> UtilisationEvent.emit(metrics.snapshot());
    FlightRecorder.addPeriodicEvent(UtilisationEvent.class, utilisation);
    this.recording = startRecording();
  }

  /**
   * Opens a session, which records nothing yet.
   *
   * @param events to sample; events that do not work here with others are left out
   * @param target the file of the recording, with {@link ProfilerOffer#canWriteTo} true; replaced
   * @param metrics of this end, for the events about its utilisation
   * @throws ProfilerException if there is no profiler here
   */
  public static ProfilerSession open(Set<ProfilerEvent> events, Path target, DrayageMetrics metrics)
      throws ProfilerException {
    return new ProfilerSession(ProfilerOffer.library(), events, target, metrics);
  }

  /**
   * Records from now on. Drops an earlier recording.
   *
   * @param kernelFrames as in {@link ProfilerOffer#of}
   * @throws ProfilerException if none of the events works
   */
  public void record(boolean kernelFrames) throws IOException, ProfilerException {
    stopSampling();
    ProfilerOffer offer = ProfilerOffer.of(events, kernelFrames);
    offer.requireAny(events);
    Recording before = recording;
    recording = startRecording();
    before.close();
    profiler.execute("start," + arguments(offer));
    isSampling = true;
  }

  private static Recording startRecording() {
    Recording begun = new Recording();
    EVERY_ONE.forEach(event -> begun.enable(event).withoutThreshold());
    OF_THE_JVM.forEach(begun::enable);
    begun.enable(QUEUE_DEPTH).withPeriod(PERIOD);
    begun.enable(UtilisationEvent.NAME).withPeriod(PERIOD);
    begun.setToDisk(true);
    begun.start();
    return begun;
  }

  private String arguments(ProfilerOffer offer) {
    List<String> arguments = new ArrayList<>();
    if (offer.engine() != null) {
      arguments.add("event=" + offer.engine());
    }
    events.stream()
        .filter(event -> !offer.refused().containsKey(event))
        .forEach(event -> arguments.add(event.arguments()));
    arguments.add("jstackdepth=" + MAX_STACK_FRAMES);
    arguments.add("jfr");
    arguments.add("file=" + samples);
    return String.join(",", arguments);
  }

  private void stopSampling() throws IOException {
    if (isSampling) {
      isSampling = false;
      profiler.execute("stop");
    }
  }

  /** Ends the session, and writes its recording to the file. */
  public void finish() throws IOException {
    stopSampling();
    recording.stop();
    recording.dump(target);
    try (OutputStream out = Files.newOutputStream(target, StandardOpenOption.APPEND)) {
      Files.copy(samples, out);
    }
    close();
  }

  /** Ends the session, without a recording unless {@link #finish} was called. */
  @Override
  public void close() throws IOException {
    stopSampling();
    recording.close();
    FlightRecorder.removePeriodicEvent(utilisation);
    Files.deleteIfExists(samples);
  }
}
