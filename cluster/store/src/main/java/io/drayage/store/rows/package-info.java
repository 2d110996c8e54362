/**
 * Sets of rows of a table: which ones commits touched, and which two have in common.
 *
 * <p>Internal: changes without notice.
 */
@NullMarked
package io.drayage.store.rows;

import org.jspecify.annotations.NullMarked;
