package io.drayage.coordination;

/**
 * A request that a primary make way for another node.
 *
 * @param change the number of the request; a later one has a higher number
 * @param epoch of the primary; no other is concerned
 * @param to the name of the node that is to be primary next
 */
public record HandOver(long change, long epoch, String to) {}
