/**
 * The encodings of integers, which those of other values and of bits consist of.
 *
 * <p>Internal: changes without notice.
 */
@NullMarked
package io.drayage.columnar.integer;

import org.jspecify.annotations.NullMarked;
