/**
 * The transactor as a node of a cluster: takes cargoes, applies them in order, puts their snapshots
 * into the object store, and publishes them; or stands by until it is its turn.
 *
 * <p>A {@link io.drayage.node.TransactorNode} is a standby, whose {@link io.drayage.node.Replica}
 * follows the log, or the primary, whose {@link io.drayage.node.CommitPipeline} writes it. See
 * docs/commit-protocol.md.
 */
@NullMarked
package io.drayage.node;

import org.jspecify.annotations.NullMarked;
