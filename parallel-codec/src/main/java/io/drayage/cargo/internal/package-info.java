/**
 * Texts in few objects.
 *
 * <p>Internal: changes without notice.
 */
@NullMarked
package io.drayage.cargo.internal;

import org.jspecify.annotations.NullMarked;
