package io.drayage.transactor;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.frame.Fault;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NodeEventsTest {
  private final NodeEvents events = new NodeEvents();

  @Test
  void theNewestEventsAreKept() {
    IntStream.rangeClosed(1, NodeEvents.MAX_EVENTS + 2).forEach(i -> events.add("event " + i));
    assertThat(events.newest()).hasSize(NodeEvents.MAX_EVENTS);
    assertThat(events.newest().get(0).text()).isEqualTo("event 12");
    assertThat(events.newest().get(9).text()).isEqualTo("event 3");
  }

  @Test
  void refusalsWithOneFaultShareAnEvent() {
    events.add("elected");
    events.addRefusal("w1", Fault.BUSY, "no place");
    events.addRefusal("w2", Fault.CONFLICT, "row 7");
    for (int i = 0; i < 100; i++) {
      events.addRefusal("w3", Fault.BUSY, "no memory");
    }
    assertThat(events.newest())
        .extracting(NodeEvents.Event::text)
        .containsExactly("w3 got BUSY: no memory", "w2 got CONFLICT: row 7", "elected");
    assertThat(events.newest().get(0).times()).isEqualTo(101);
  }

  @Test
  void aLongTextIsCut() {
    events.add("x".repeat(10_000));
    assertThat(events.newest().get(0).text()).hasSizeLessThan(1_000).endsWith("x...");
  }
}
