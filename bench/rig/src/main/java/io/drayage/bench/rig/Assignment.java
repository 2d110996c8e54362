package io.drayage.bench.rig;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the children of one system are told that they are for.
 *
 * @param transactor its job
 * @param workers a job for each
 * @param extent how far a commit goes
 * @param digest of what all workers ship in one transaction; null if each has its own
 */
record Assignment(Object transactor, List<?> workers, Extent extent, @Nullable Long digest) {
  /** How far a commit goes. */
  enum Extent {
    /** Until the worker has loaded the snapshot. */
    WHOLE_COMMIT,
    /** Until the cargo has taken effect. */
    EFFECT,
    /** Until the cargo is received: a peer has no database for it to take effect in. */
    RECEIVED
  }
}
