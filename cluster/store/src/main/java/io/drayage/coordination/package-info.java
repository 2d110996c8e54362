/**
 * Coordination of a cluster: the live nodes, the election of a primary, and the timestamp of the
 * current snapshot.
 */
@NullMarked
package io.drayage.coordination;

import org.jspecify.annotations.NullMarked;
