package io.drayage.columnar;

/**
 * How the values of a stream are patched: within a window most of them lie, the others are
 * exceptions.
 *
 * @param reference where the window begins
 * @param width its size in bits, below that of a value
 */
record Patching(long reference, int width) {}
