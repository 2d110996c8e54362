/**
 * What the transport does for itself alone.
 *
 * <p>Internal: changes without notice.
 */
@NullMarked
package io.drayage.transport.netty.internal;

import org.jspecify.annotations.NullMarked;
