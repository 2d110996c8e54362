package io.drayage.coordination;

import static io.drayage.internal.Texts.format;

import io.drayage.transport.Backoff;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;

/** Checks whether a cluster exists at an address. */
public final class ClusterPresence {
  /** The time for which a worker waits for the first transactor, if both start together. */
  public static final Duration PATIENCE = Duration.ofSeconds(10);

  private static final System.Logger LOG = System.getLogger(ClusterPresence.class.getName());

  private ClusterPresence() {}

  /**
   * Fails if no transactor is live, and no node ever was primary.
   *
   * @throws CoordinationException in that case; names the address of the cluster
   */
  public static void require(Coordination coordination) throws CoordinationException {
    if (!isThere(coordination)) {
      throw new CoordinationException(
          "%s has no Drayage cluster: no transactor is there, and none ever was primary; name the cluster's address and /ROOT, or start a transactor"
              .formatted(coordination.name()));
    }
  }

  private static boolean isThere(Coordination coordination) throws CoordinationException {
    return coordination.primary().isPresent()
        || coordination.published().isPresent()
        || coordination.liveNodes().stream().anyMatch(NodeInfo::acceptsConnections);
  }

  /**
   * Returns the published snapshot. Waits for {@link #PATIENCE} for the start of a transactor, and
   * for {@code patience} for its first snapshot.
   *
   * @throws CoordinationException if no transactor starts, or none publishes a snapshot
   */
  public static PublishedSnapshot awaitPublished(Coordination coordination, Duration patience)
      throws CoordinationException {
    Backoff present = new Backoff(patience.compareTo(PATIENCE) < 0 ? patience : PATIENCE);
    Backoff publishing = new Backoff(patience);
    boolean told = false;
    while (true) {
      Optional<PublishedSnapshot> published = coordination.published();
      if (published.isPresent()) {
        return published.get();
      }
      try {
        if (!present.pause()) {
          require(coordination);
          if (!told) {
            LOG.log(Level.INFO, "{0} has published nothing yet", coordination.name());
            told = true;
          }
          if (!publishing.pause()) {
            throw new CoordinationException(
                format(
                    "%s has published nothing after %,d s: its transactors cannot take over; see their logs",
                    coordination.name(), patience.toSeconds()));
          }
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new CoordinationException("interrupted", e);
      }
    }
  }
}
