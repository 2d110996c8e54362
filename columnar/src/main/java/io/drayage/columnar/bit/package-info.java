/**
 * Streams of bits: which of the values are there, and those of booleans.
 *
 * <p>Internal: changes without notice.
 */
@NullMarked
package io.drayage.columnar.bit;

import org.jspecify.annotations.NullMarked;
