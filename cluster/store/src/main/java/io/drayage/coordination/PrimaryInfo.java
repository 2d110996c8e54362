package io.drayage.coordination;

/**
 * The node elected last.
 *
 * @param node the elected node; if it has died since, it is not among the live nodes
 * @param epoch the number of its election
 */
public record PrimaryInfo(NodeInfo node, long epoch) {}
