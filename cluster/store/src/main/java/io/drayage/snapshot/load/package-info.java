/**
 * Loads what the store has of a snapshot: whole cargoes, or some columns of them.
 *
 * <p>Internal: changes without notice.
 */
@NullMarked
package io.drayage.snapshot.load;

import org.jspecify.annotations.NullMarked;
