package io.drayage.columnar.stream;

/**
 * What a sample of values told about one encoding. What the numbers mean is up to the encoding.
 *
 * @param parameter what to encode with: a reference, a pair, a distance
 * @param width a second parameter: a number of bits
 * @param estimate bits a value, or a share of the values
 */
public record Hint(long parameter, int width, double estimate) {}
