/**
 * Coordination of a cluster: the live nodes, the election of a primary, and the timestamp of the
 * current snapshot.
 *
 * <p>For programs that embed the library.
 */
@NullMarked
package io.drayage.coordination;

import org.jspecify.annotations.NullMarked;
