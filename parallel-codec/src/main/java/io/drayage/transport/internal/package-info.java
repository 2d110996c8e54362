/**
 * What transports of this project share.
 *
 * <p>Internal: changes without notice.
 */
@NullMarked
package io.drayage.transport.internal;

import org.jspecify.annotations.NullMarked;
