package io.drayage.coordination;

/**
 * A node has applied an entry of the log differently than the log says, also when it loaded anew.
 *
 * @param node its name
 * @param timestamp of the entry
 * @param expected the digest that it was to have, by the log
 * @param found the digest of what the node applied
 */
public record AppliedReport(String node, long timestamp, long expected, long found) {}
