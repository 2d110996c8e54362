/**
 * TLS for the connections of the Netty transport: set-up, refusals, and the names of workers.
 *
 * <p>Internal: changes without notice.
 */
@NullMarked
package io.drayage.transport.netty.tls;

import org.jspecify.annotations.NullMarked;
