package io.drayage.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.RandomCargo;
import io.drayage.metrics.internal.OutboundStall;
import io.drayage.metrics.internal.QueueDepthEvent;
import io.drayage.metrics.internal.SegmentEvent;
import io.drayage.send.SendReport;
import io.drayage.testing.Waiting;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
final class FlightRecorderTest {
  @TempDir private Path folder;

  @Test
  void recordsSegmentsPhasesAndQueueDepth() throws Exception {
    try (Recording recording = new Recording();
        MeteredEnds ends = new MeteredEnds(held -> 1)) {
      recording.enable("io.drayage.Segment").withoutThreshold();
      recording.enable("io.drayage.Phase").withoutThreshold();
      recording.enable("io.drayage.QueueDepth").with("period", "endChunk");
      recording.start();
      Runnable end = QueueDepthEvent.watch(ends.worker.outbound());
      SendReport report = ends.sendSegments(RandomCargo.of(41, 30_000), "none");
      recording.stop();
      end.run();
      List<RecordedEvent> events = read(recording);

      for (String direction : List.of("encode", "decode")) {
        List<RecordedEvent> segments =
            named(events, "io.drayage.Segment").stream()
                .filter(event -> event.getString("direction").equals(direction))
                .toList();
        assertThat(segments).as(direction).hasSize(Math.toIntExact(report.frames()));
        assertThat(segments.stream().mapToLong(event -> event.getLong("wireBytes")).sum())
            .isEqualTo(ends.worker.snapshot().encode().get(Metric.WIRE_BYTES));
        assertThat(segments).allMatch(event -> !event.getString("table").isEmpty());
      }
      Set<String> phases =
          named(events, "io.drayage.Phase").stream()
              .map(event -> event.getString("phase"))
              .collect(Collectors.toSet());
      assertThat(phases).contains("request", "serialize", "apply");
      assertThat(named(events, "io.drayage.QueueDepth")).isNotEmpty();
    }
  }

  @Test
  void recordsCreditStalls() throws Exception {
    try (Recording recording = new Recording()) {
      recording.enable("io.drayage.CreditStall").withoutThreshold();
      recording.start();
      OutboundStall stall = new OutboundStall(new DrayageMetrics().outbound());
      stall.now(OutboundStall.Reason.CREDIT, 77);
      stall.now(OutboundStall.Reason.NONE, 0);
      recording.stop();
      List<RecordedEvent> stalls = named(read(recording), "io.drayage.CreditStall");
      assertThat(stalls).hasSize(1);
      assertThat(stalls.get(0).getLong("shipmentId")).isEqualTo(77);
    }
  }

  @Test
  void fastSegmentsStayBelowTheDefaultThreshold() throws Exception {
    try (Recording recording = new Recording()) {
      recording.enable("io.drayage.Segment");
      recording.start();
      assertThat(new SegmentEvent().isEnabled()).isTrue();
      Waiting.await(() -> !emptySegment().shouldCommit()); // The scheduler may pause one.
      recording.stop();
    }
  }

  private static SegmentEvent emptySegment() {
    SegmentEvent event = new SegmentEvent();
    event.begin();
    event.end();
    return event;
  }

  private List<RecordedEvent> read(Recording recording) throws IOException {
    Path file = folder.resolve("recording.jfr");
    recording.dump(file);
    return RecordingFile.readAllEvents(file);
  }

  private static List<RecordedEvent> named(List<RecordedEvent> events, String name) {
    return events.stream().filter(event -> event.getEventType().getName().equals(name)).toList();
  }
}
