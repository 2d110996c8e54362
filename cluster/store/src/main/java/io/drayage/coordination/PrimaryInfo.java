package io.drayage.coordination;

/**
 * The node elected last.
 *
 * @param node may have died since, and is then not among the live nodes
 * @param epoch the number of its election
 */
public record PrimaryInfo(NodeInfo node, long epoch) {}
