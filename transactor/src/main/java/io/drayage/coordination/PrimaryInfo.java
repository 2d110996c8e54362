package io.drayage.coordination;

/**
 * Who was elected last.
 *
 * @param node may have died since: then it is not among the live nodes
 * @param epoch counts the elections
 */
public record PrimaryInfo(NodeInfo node, long epoch) {}
