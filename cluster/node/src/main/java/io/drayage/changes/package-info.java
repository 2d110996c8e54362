/**
 * Committed changes, written as they follow each other.
 *
 * <p>For programs that embed the library.
 */
@NullMarked
package io.drayage.changes;

import org.jspecify.annotations.NullMarked;
