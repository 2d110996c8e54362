/**
 * Snapshots in the object store: the frames of each commit, and the log of manifests that orders
 * them. Periodic full snapshots bound what must be read at start.
 *
 * <p>Internal: changes without notice.
 */
@NullMarked
package io.drayage.snapshot;

import org.jspecify.annotations.NullMarked;
