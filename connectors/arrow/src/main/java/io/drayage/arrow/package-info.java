/**
 * Columns of a cargo from Arrow vectors, and vectors from columns, without an object for each
 * value. Arrow's values are outside the heap, those of a cargo in arrays. Each value is copied
 * once: when its page is shipped ({@link io.drayage.arrow.ArrowColumns#viewOf}), or at once.
 *
 * <p>For programs that embed the library.
 */
@NullMarked
package io.drayage.arrow;

import org.jspecify.annotations.NullMarked;
