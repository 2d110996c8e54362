package io.drayage.bench.peer;

/**
 * How a peer's shipment went.
 *
 * @param number what {@code ReceivedCargoes.hold} gave the cargo at the other end
 * @param wireBytes bytes given to the network, with the framing that the peer sees of them
 * @param messages how many pieces they were in
 * @param serializedNs {@link System#nanoTime} when the last of them was made
 */
public record PeerReport(long number, long wireBytes, long messages, long serializedNs) {}
