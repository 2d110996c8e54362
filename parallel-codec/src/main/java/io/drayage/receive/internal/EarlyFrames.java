package io.drayage.receive.internal;

import io.drayage.memory.Lease;
import java.util.ArrayList;
import java.util.List;

/**
 * Segments that arrive while a codec thread still reads the manifest. They wait here, with their
 * leases open, so that the sender's credit bounds them. Thread-safe.
 */
final class EarlyFrames {
  private List<Lease> waiting = new ArrayList<>();
  private boolean open;

  /** Keeps {@code frame}, and owns it then. Returns false if frames need not wait any more. */
  synchronized boolean keep(Lease frame) {
    return !open && waiting.add(frame);
  }

  /** Lets frames through from now on. Returns the waiting frames, which the caller owns. */
  synchronized List<Lease> open() {
    List<Lease> kept = waiting;
    waiting = List.of();
    open = true;
    return kept;
  }
}
