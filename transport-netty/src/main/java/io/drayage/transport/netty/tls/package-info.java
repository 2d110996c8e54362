/** TLS for the connections of the Netty transport: set-up, refusals, and the names of workers. */
@NullMarked
package io.drayage.transport.netty.tls;

import org.jspecify.annotations.NullMarked;
