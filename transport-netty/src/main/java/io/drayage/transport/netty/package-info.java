/**
 * The raw transport: frames on TCP connections by Netty, natively where the machine can. A
 * connection carries one shipment, so that damaged bytes affect no other shipment. A shipment may
 * have several connections, and outlives them.
 *
 * <p>For programs that embed the library.
 */
@NullMarked
package io.drayage.transport.netty;

import org.jspecify.annotations.NullMarked;
