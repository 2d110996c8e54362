/**
 * The baseline transport: gRPC as it was published, with nothing tuned. One plaintext channel with
 * the library's defaults, one client-streaming call for a shipment, one message for a frame, and a
 * copy of every frame into a message.
 */
@NullMarked
package io.drayage.transport.grpc;

import org.jspecify.annotations.NullMarked;
