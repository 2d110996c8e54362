package io.drayage.bench.peer;

/**
 * The result of a peer's shipment.
 *
 * @param number the number that {@code ReceivedCargoes.add} gave the cargo at the other end
 * @param wireBytes bytes given to the network, with the framing that the peer sees
 * @param messages number of messages
 * @param serializedNs {@link System#nanoTime} when the last message was made
 */
public record PeerReport(long number, long wireBytes, long messages, long serializedNs) {}
