/**
 * Tables and columns whose contents never change: a column is a list of extents, an extent a list
 * of pages, and what a commit does not touch is shared with the snapshot before it.
 *
 * <p>For programs that embed the library.
 */
@NullMarked
package io.drayage.store.column;

import org.jspecify.annotations.NullMarked;
