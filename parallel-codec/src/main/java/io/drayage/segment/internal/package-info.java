/**
 * Sinks of cargoes that are not put together as a whole.
 *
 * <p>Internal: changes without notice.
 */
@NullMarked
package io.drayage.segment.internal;

import org.jspecify.annotations.NullMarked;
