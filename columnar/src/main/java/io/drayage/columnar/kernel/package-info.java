/** Loops over arrays, written so that the compiler vectorises them. They allocate nothing. */
@NullMarked
package io.drayage.columnar.kernel;

import org.jspecify.annotations.NullMarked;
