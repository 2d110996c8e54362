package io.drayage.metrics;

/**
 * What one side's codec threads have done.
 *
 * @param threads the codec threads there are; not a sum, so that {@link #minus} keeps it
 * @param segments segments encoded or decoded; 0 for streams
 * @param frames frames of segments, or chunks
 * @param rawBytes about how many raw bytes the segments had: a share of their column's, by rows
 * @param serializedBytes bytes of the segments between serializer and compressor; 0 for streams
 * @param wireBytes bytes of the frames, headers included; without manifests and seals
 * @param storedSegments segments that a compressor did not make smaller, sent as they were
 * @param busyNs elapsed time in which the threads worked on frames, summed over the threads. It
 *     includes time in which other threads had the cores, which {@link StageUse} does not
 * @param waits how often a thread asked for a leased buffer; in a stream, for the next place or
 *     chunk of its queue
 * @param waitNs how long they waited for it, together
 */
public record CodecSnapshot(
    int threads,
    long segments,
    long frames,
    long rawBytes,
    long serializedBytes,
    long wireBytes,
    long storedSegments,
    long busyNs,
    long waits,
    long waitNs) {
  /** What was done since {@code earlier}. */
  public CodecSnapshot minus(CodecSnapshot earlier) {
    return new CodecSnapshot(
        threads,
        segments - earlier.segments,
        frames - earlier.frames,
        rawBytes - earlier.rawBytes,
        serializedBytes - earlier.serializedBytes,
        wireBytes - earlier.wireBytes,
        storedSegments - earlier.storedSegments,
        busyNs - earlier.busyNs,
        waits - earlier.waits,
        waitNs - earlier.waitNs);
  }
}
