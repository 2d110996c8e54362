package io.drayage.bench.codecs.work;

/**
 * What a benchmark's JVM tells beside its times.
 *
 * @param rawBytes raw bytes that one run turns
 * @param encodedBytes bytes that serializer and compressor make of them
 * @param segments segments of one run; 0 if it has none
 * @param allocatedBytes what one run allocates on the heap, after all others
 */
public record WorkFacts(long rawBytes, long encodedBytes, int segments, long allocatedBytes) {}
