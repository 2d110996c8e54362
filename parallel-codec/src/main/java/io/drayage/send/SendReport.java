package io.drayage.send;

/**
 * The result and times of a shipment, by the worker's clock. The phases follow each other without a
 * gap, so that {@code serializeNs + drainNs + decodeNs} is the time from the start of serialization
 * until the transactor has answered that it has received the cargo, decoded and verified.
 *
 * @param snapshotTimestamp the snapshot in which the cargo took effect
 * @param wireBytes bytes of all frames sent, headers included
 * @param frames number of segments or chunks sent
 * @param requestNs from the call to the transactor's acceptance; about 0 for a small cargo that
 *     went with its request, whose wait for room is part of {@code decodeNs}
 * @param serializeNs until the last segment or chunk was encoded
 * @param drainNs until the last frame was handed to the wire
 * @param decodeNs until the transactor's answer that it has received the cargo
 * @param applyNs until the transactor's answer that the cargo took effect
 * @param reconnects number of times that the shipment was resumed after its connections were lost
 * @param resentBytes bytes of frames that were passed to the transport more than once; part of
 *     {@code wireBytes}
 */
public record SendReport(
    long snapshotTimestamp,
    long wireBytes,
    long frames,
    long requestNs,
    long serializeNs,
    long drainNs,
    long decodeNs,
    long applyNs,
    int reconnects,
    long resentBytes) {
  /** Returns this report with the number of resumes and the resent bytes. */
  public SendReport withResumes(int times, long bytes) {
    return new SendReport(
        snapshotTimestamp,
        wireBytes,
        frames,
        requestNs,
        serializeNs,
        drainNs,
        decodeNs,
        applyNs,
        times,
        bytes);
  }
}
