package io.drayage.profiling;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/**
 * What was recorded at one end. Immutable.
 *
 * @param samples in no order
 * @param phases of all shipments, in the order of their ends; a worker's
 * @param gauges in the order of their times
 * @param collections of garbage, in the order of their times
 * @param eventCounts how many events of this library there are
 */
public record Profile(
    List<Sample> samples,
    List<Span> phases,
    List<Gauge> gauges,
    List<Span> collections,
    EventCounts eventCounts) {
  private static final String PHASE = "io.drayage.Phase";
  private static final String COLLECTION = "jdk.GarbageCollection";

  public Profile {
    samples = List.copyOf(samples);
    phases = List.copyOf(phases);
    gauges = List.copyOf(gauges);
    collections = List.copyOf(collections);
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

  /**
   * A sample of {@code io.drayage.Utilisation}.
   *
   * @param atNs nanoseconds since 1970
   * @param sentBytes that the transport has sent since its start
   */
  public record Gauge(long atNs, long sentBytes) {}

  /** How many events of this library there are. */
  public record EventCounts(long segments, long creditStalls, long queueDepths) {}

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
    List<Gauge> gauges = new ArrayList<>();
    List<Span> collections = new ArrayList<>();
    long[] counts = new long[3];
    try (RecordingFile file = new RecordingFile(recording)) {
      while (file.hasMoreEvents()) {
        RecordedEvent event = file.readEvent();
        switch (event.getEventType().getName()) {
          case PHASE -> phases.add(span(event.getString("phase"), event));
          case COLLECTION -> collections.add(span(event.getString("name"), event));
          case UtilisationEvent.NAME -> gauges.add(gauge(event));
          case "io.drayage.Segment" -> counts[0]++;
          case "io.drayage.CreditStall" -> counts[1]++;
          case "io.drayage.QueueDepth" -> counts[2]++;
          default -> {
            // A sample, or one of those that every recording has.
          }
        }
      }
    }
    phases.sort((one, other) -> Long.compare(one.endNs, other.endNs));
    gauges.sort((one, other) -> Long.compare(one.atNs, other.atNs));
    return new Profile(
        SampleReader.read(recording, roles),
        phases,
        gauges,
        collections,
        new EventCounts(counts[0], counts[1], counts[2]));
  }

  private static Span span(String name, RecordedEvent event) {
    return new Span(name, nanos(event.getStartTime()), nanos(event.getEndTime()));
  }

  private static Gauge gauge(RecordedEvent event) {
    return new Gauge(nanos(event.getStartTime()), event.getLong("sentBytes"));
  }

  private static long nanos(Instant instant) {
    return instant.getEpochSecond() * 1_000_000_000L + instant.getNano();
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
    return new Profile(
        samples.stream().filter(which).toList(), phases, gauges, collections, eventCounts);
  }
}
