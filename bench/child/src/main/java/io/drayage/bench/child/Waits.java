package io.drayage.bench.child;

/**
 * For how long an end could not go on, in seconds. Threads and connections that wait at the same
 * time are added up. What the gRPC transports wait for inside gRPC is not seen.
 *
 * @param bufferS codec threads, for a buffer; in a stream, for their queue
 * @param roomS senders, for room in the transport
 * @param creditS connections with frames, for credit
 * @param socketS connections with frames, for the socket
 */
public record Waits(double bufferS, double roomS, double creditS, double socketS) {}
