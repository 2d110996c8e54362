package io.drayage.profiling;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/**
 * The recorded samples and events of one end. Immutable.
 *
 * @param samples in no order
 * @param phases of all shipments, in the order of their ends; of a worker only
 * @param eventCounts number of events by name
 */
public record Profile(List<Sample> samples, List<Span> phases, Map<String, Long> eventCounts) {
  private static final String PHASE = "io.drayage.Phase";

  public Profile {
    samples = List.copyOf(samples);
    phases = List.copyOf(phases);
    eventCounts = Map.copyOf(eventCounts);
  }

  /**
   * A span of time.
   *
   * @param beginNs nanoseconds since 1970
   * @param endNs likewise
   */
  public record Span(String name, long beginNs, long endNs) {
    /** Checks whether the span contains a moment. */
    public boolean contains(long atNs) {
      return atNs >= beginNs && atNs < endNs;
    }
  }

  /** Checks whether CPU samples have frames of the kernel. */
  public boolean showsKernel() {
    return samplesOf(ProfilerEvent.CPU)
        .anyMatch(sample -> sample.stack().stream().anyMatch(Frame::isKernel));
  }

  /**
   * Reads a recording of {@link ProfilerSession}.
   *
   * @throws IOException if it cannot be read
   */
  public static Profile read(Path recording, ThreadRoles roles) throws IOException {
    List<Span> phases = new ArrayList<>();
    Map<String, Long> counts = new HashMap<>();
    try (RecordingFile file = new RecordingFile(recording)) {
      while (file.hasMoreEvents()) {
        RecordedEvent event = file.readEvent();
        String name = event.getEventType().getName();
        counts.merge(name, 1L, Long::sum);
        if (name.equals(PHASE)) {
          phases.add(
              new Span(
                  event.getString("phase"),
                  nanos(event.getStartTime()),
                  nanos(event.getEndTime())));
        }
      }
    }
    phases.sort((one, other) -> Long.compare(one.endNs, other.endNs));
    return new Profile(SampleReader.read(recording, roles), phases, counts);
  }

  private static long nanos(Instant instant) {
    return instant.getEpochSecond() * 1_000_000_000L + instant.getNano();
  }

  /** Returns the number of events with a name. */
  public long count(String event) {
    return eventCounts.getOrDefault(event, 0L);
  }

  public Stream<Sample> samplesOf(ProfilerEvent event) {
    return samples.stream().filter(sample -> sample.event() == event);
  }

  /** Returns the profile with the samples within one of these spans only. */
  public Profile within(List<Span> spans) {
    return with(sample -> spans.stream().anyMatch(span -> span.contains(sample.atNs())));
  }

  /** Returns the profile with the matching samples only. */
  public Profile with(Predicate<Sample> which) {
    return new Profile(samples.stream().filter(which).toList(), phases, eventCounts);
  }
}
