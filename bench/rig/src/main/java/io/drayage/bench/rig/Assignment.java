package io.drayage.bench.rig;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The jobs of one system's children.
 *
 * @param transactor its job
 * @param workers a job for each
 * @param extent how far a commit goes
 * @param digest of all cargoes in one transaction; null if each worker has its own transaction
 */
record Assignment(Object transactor, List<?> workers, Extent extent, @Nullable Long digest) {
  /** The end of a measured commit. */
  enum Extent {
    /** The worker has loaded the snapshot. */
    WHOLE_COMMIT,
    /** The cargo has taken effect. */
    EFFECT,
    /** The cargo is received: a peer has no database in which it could take effect. */
    RECEIVED
  }
}
