/**
 * Committed changes, written in the order of their commits.
 *
 * <p>For programs that embed the library.
 */
@NullMarked
package io.drayage.changes;

import org.jspecify.annotations.NullMarked;
