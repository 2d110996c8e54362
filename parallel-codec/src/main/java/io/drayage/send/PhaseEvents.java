package io.drayage.send;

import io.drayage.metrics.event.PhaseEvent;
import java.util.Locale;

/**
 * Tells Flight Recorder of the phases of one shipment, each when it is over. What comes out of
 * order, because an answer overtook the end of a write or the shipment was resumed, changes
 * nothing. Thread-safe.
 */
final class PhaseEvents {
  enum Phase {
    REQUEST,
    SERIALIZE,
    DRAIN,
    DECODE,
    APPLY,
    DONE
  }

  private Phase current = Phase.REQUEST;
  private PhaseEvent event = begun();

  private static PhaseEvent begun() {
    PhaseEvent event = new PhaseEvent();
    event.begin();
    return event;
  }

  /** The current phase is over, and {@code next} begins. */
  synchronized void reach(Phase next) {
    if (next.compareTo(current) <= 0) {
      return;
    }
    event.commitAs(current.name().toLowerCase(Locale.ROOT));
    current = next;
    event = begun();
  }
}
