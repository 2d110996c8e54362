/**
 * Columns of a cargo from Arrow vectors, and vectors from columns, without an object for each
 * value. Arrow's values lie outside the heap and a cargo's in arrays, so a value is copied once:
 * page by page when it is shipped ({@link io.drayage.arrow.ArrowColumns#viewOf}), or at once.
 *
 * <p>For programs that embed the library.
 */
@NullMarked
package io.drayage.arrow;

import org.jspecify.annotations.NullMarked;
