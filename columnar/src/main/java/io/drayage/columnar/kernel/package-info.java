/**
 * Loops over arrays, written so that the compiler vectorises them. They allocate nothing.
 *
 * <p>Internal: changes without notice.
 */
@NullMarked
package io.drayage.columnar.kernel;

import org.jspecify.annotations.NullMarked;
