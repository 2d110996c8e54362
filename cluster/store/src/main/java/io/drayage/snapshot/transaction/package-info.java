/**
 * Records of transactions of several workers in the object store, until an entry of the log ends
 * them.
 *
 * <p>Internal: changes without notice.
 */
@NullMarked
package io.drayage.snapshot.transaction;

import org.jspecify.annotations.NullMarked;
