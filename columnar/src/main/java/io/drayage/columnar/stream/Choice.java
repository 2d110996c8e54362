package io.drayage.columnar.stream;

/**
 * One way to write a stream, as estimated.
 *
 * @param bytes what it takes
 * @param ns what it costs: on the wire, and on both sides of it
 */
public record Choice(Encoding encoding, double bytes, double ns) {}
