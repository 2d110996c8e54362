/**
 * The raw transport: frames on a TCP connection by Netty, natively where the machine can. One
 * connection carries one shipment, so that whatever goes wrong with its bytes costs no other.
 */
@NullMarked
package io.drayage.transport.netty;

import org.jspecify.annotations.NullMarked;
