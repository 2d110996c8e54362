/**
 * The database as the object store has it: a {@link io.drayage.replica.Replica} is a node's copy,
 * which a {@link io.drayage.replica.LogFollower} keeps at what is published. Also snapshots of the
 * past, and the log applied anew to check it.
 *
 * <p>Internal: changes without notice.
 */
@NullMarked
package io.drayage.replica;

import org.jspecify.annotations.NullMarked;
