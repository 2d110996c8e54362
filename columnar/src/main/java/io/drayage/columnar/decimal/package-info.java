/**
 * The encoding of floating-point values that are decimals.
 *
 * <p>Internal: changes without notice.
 */
@NullMarked
package io.drayage.columnar.decimal;

import org.jspecify.annotations.NullMarked;
