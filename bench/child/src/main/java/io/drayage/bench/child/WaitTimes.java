package io.drayage.bench.child;

/**
 * The times for which an end could not continue, in seconds. Threads and connections that wait at
 * the same time are added up. WaitTimes inside gRPC are not included.
 *
 * @param bufferS codec threads, for a buffer; in a stream, for their queue
 * @param roomS senders, for room in the transport
 * @param creditS connections with frames, for credit
 * @param socketS connections with frames, for the socket
 */
public record WaitTimes(double bufferS, double roomS, double creditS, double socketS) {}
