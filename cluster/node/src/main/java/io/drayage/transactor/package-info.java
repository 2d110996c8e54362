/**
 * The transactor node. As primary it accepts cargoes, applies them in order, writes their snapshots
 * to the object store and publishes them. As standby it follows the log.
 *
 * <p>A {@link io.drayage.transactor.TransactorNode} is a standby, whose {@link
 * io.drayage.replica.Replica} follows the log, or the primary, whose {@link
 * io.drayage.transactor.CommitPipeline} writes it. See docs/commit-protocol.md.
 *
 * <p>For programs that embed the library.
 */
@NullMarked
package io.drayage.transactor;

import org.jspecify.annotations.NullMarked;
