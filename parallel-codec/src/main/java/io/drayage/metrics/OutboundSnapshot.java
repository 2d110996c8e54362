package io.drayage.metrics;

/**
 * What has gone out, and what held it up. Stalls are those of single connections, summed; one that
 * goes on is counted when it ends. Queues, wake-ups and stalls are those of the Netty transport:
 * gRPC's are inside gRPC.
 *
 * @param frames frames that the transport took over: manifests, segments or chunks, seals
 * @param wireBytes their bytes, headers included
 * @param transportWaits how often a pipeline had to wait until the transport took a frame
 * @param transportWaitNs how long
 * @param wakeUps how often an event loop was woken up for frames, each time for a batch
 * @param creditStalls how often frames waited because the transactor had granted no credit for them
 * @param creditStallNs how long
 * @param socketStalls how often frames waited because the socket took no more
 * @param socketStallNs how long
 * @param queuedFrames frames that wait in queues now; as the next three, not a difference after
 *     {@link #minus}
 * @param queuedBytes their bytes
 * @param peakQueuedFrames the most frames that ever waited at a time
 * @param peakQueuedBytes the most bytes that ever waited at a time
 */
public record OutboundSnapshot(
    long frames,
    long wireBytes,
    long transportWaits,
    long transportWaitNs,
    long wakeUps,
    long creditStalls,
    long creditStallNs,
    long socketStalls,
    long socketStallNs,
    long queuedFrames,
    long queuedBytes,
    long peakQueuedFrames,
    long peakQueuedBytes) {
  /** What happened since {@code earlier}; depths and peaks as they are now. */
  public OutboundSnapshot minus(OutboundSnapshot earlier) {
    return new OutboundSnapshot(
        frames - earlier.frames,
        wireBytes - earlier.wireBytes,
        transportWaits - earlier.transportWaits,
        transportWaitNs - earlier.transportWaitNs,
        wakeUps - earlier.wakeUps,
        creditStalls - earlier.creditStalls,
        creditStallNs - earlier.creditStallNs,
        socketStalls - earlier.socketStalls,
        socketStallNs - earlier.socketStallNs,
        queuedFrames,
        queuedBytes,
        peakQueuedFrames,
        peakQueuedBytes);
  }
}
