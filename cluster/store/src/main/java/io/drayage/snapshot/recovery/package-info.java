/**
 * For the day on which an object store is lost or damaged: its snapshots are verified, copied,
 * restored and repaired.
 *
 * <p>Internal: changes without notice.
 */
@NullMarked
package io.drayage.snapshot.recovery;

import org.jspecify.annotations.NullMarked;
