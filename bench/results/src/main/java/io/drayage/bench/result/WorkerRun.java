package io.drayage.bench.result;

import org.jspecify.annotations.Nullable;

/**
 * One worker's part of an iteration in which several workers ship at the same time.
 *
 * @param worker its number, from 1
 * @param rawBytes raw bytes of its cargo
 * @param wireBytes bytes of all its frames
 * @param phases the times of its phases
 * @param sqS seconds of its S+Q
 * @param commitS seconds of its commit; null if there was none
 */
public record WorkerRun(
    int worker,
    long rawBytes,
    long wireBytes,
    Phases phases,
    double sqS,
    @Nullable Double commitS) {
  static WorkerRun of(int number, MeasuredShipment shipment) {
    return new WorkerRun(
        number,
        shipment.rawBytes(),
        shipment.report().wireBytes(),
        shipment.phases(),
        shipment.sqNs() / 1e9,
        shipment.commitS());
  }
}
