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
 * What was recorded at one end. Immutable.
 *
 * @param samples in no order
 * @param phases of all shipments, in the order of their ends; a worker's
 * @param eventCounts how many events there are, by their names
 */
public record Profile(List<Sample> samples, List<Span> phases, Map<String, Long> eventCounts) {
  private static final String PHASE = "io.drayage.Phase";

  public Profile {
    samples = List.copyOf(samples);
    phases = List.copyOf(phases);
    eventCounts = Map.copyOf(eventCounts);
  }

  /**
   * A stretch of time.
   *
   * @param beginNs nanoseconds since 1970
   * @param endNs likewise
   */
  public record Span(String name, long beginNs, long endNs) {
    /** Whether it contains a moment. */
    public boolean contains(long atNs) {
      return atNs >= beginNs && atNs < endNs;
    }
  }

  /** Whether samples of the processor have frames of the kernel. */
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

  /** How many events of a name there are. */
  public long count(String event) {
    return eventCounts.getOrDefault(event, 0L);
  }

  public Stream<Sample> samplesOf(ProfilerEvent event) {
    return samples.stream().filter(sample -> sample.event() == event);
  }

  /** Keeps the samples within one of these spans. */
  public Profile within(List<Span> spans) {
    return with(sample -> spans.stream().anyMatch(span -> span.contains(sample.atNs())));
  }

  /** Keeps the samples that match. */
  public Profile with(Predicate<Sample> which) {
    return new Profile(samples.stream().filter(which).toList(), phases, eventCounts);
  }
}
