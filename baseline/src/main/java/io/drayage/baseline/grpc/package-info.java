/**
 * gRPC, twice: as it was published, which is the baseline, and tuned. One plaintext channel, one
 * client-streaming call for a shipment, one message for a frame. What the two do differently stands
 * in the implementations of {@code Flavour}; the bytes of the messages are the same.
 */
@NullMarked
package io.drayage.baseline.grpc;

import org.jspecify.annotations.NullMarked;
