/**
 * The transactor as a node of a cluster: takes cargoes, applies them in order, puts their snapshots
 * into the object store, and publishes them; or stands by until it is its turn.
 *
 * <p>A {@link io.drayage.transactor.TransactorNode} is a standby, whose {@link
 * io.drayage.transactor.Replica} follows the log, or the primary, whose {@link
 * io.drayage.transactor.CommitPipeline} writes it. See docs/commit-protocol.md.
 */
@NullMarked
package io.drayage.transactor;

import org.jspecify.annotations.NullMarked;
