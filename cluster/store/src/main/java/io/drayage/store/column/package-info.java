/**
 * Tables and columns whose contents never change. A column is a list of extents, and an extent is a
 * list of pages. Pages that a commit does not touch are shared with the snapshot before it.
 *
 * <p>For programs that embed the library.
 */
@NullMarked
package io.drayage.store.column;

import org.jspecify.annotations.NullMarked;
