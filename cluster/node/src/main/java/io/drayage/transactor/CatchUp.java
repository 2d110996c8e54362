package io.drayage.transactor;

import static io.drayage.internal.Texts.format;

import io.drayage.coordination.Coordination;
import io.drayage.coordination.CoordinationException;
import io.drayage.coordination.NodeProgress;
import java.time.Duration;
import java.util.Optional;

/** Waits until a node has loaded the published snapshot, by the reports in the cluster. */
final class CatchUp {
  /** The maximum age of a report: a node reports a few times a second. */
  static final Duration LIMIT = Duration.ofSeconds(1);

  private static final long POLL_MS = 50;

  private CatchUp() {}

  /**
   * Waits until a node has loaded a snapshot.
   *
   * @param published the newest published snapshot: under load a newer one soon follows
   * @param limit {@link #LIMIT}, or less
   * @return false if it has not loaded it in time, or is not in the cluster
   */
  static boolean await(Coordination coordination, String node, long published, Duration limit)
      throws CoordinationException, InterruptedException {
    long beganNs = System.nanoTime();
    while (true) {
      Optional<NodeProgress> progress = coordination.progress(node);
      if (progress.isEmpty() || progress.get().loaded() >= published) {
        return progress.isPresent();
      }
      if (System.nanoTime() - beganNs > limit.toNanos()) {
        return false;
      }
      Thread.sleep(POLL_MS);
    }
  }

  /** Describes the progress of a node, for messages. */
  static String describe(Coordination coordination, String node, long published)
      throws CoordinationException {
    return coordination
        .progress(node)
        .map(at -> format("%s has loaded snapshot %d of %d", node, at.loaded(), published))
        .orElse(node + " is not in the cluster");
  }
}
