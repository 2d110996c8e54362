package io.drayage.receive;

import io.drayage.cargo.ChangeCargo;
import io.drayage.frame.ShipmentHeader;

/**
 * A cargo that was received whole, decoded and verified, with the recording of its frames.
 *
 * @param header the worker's announcement
 * @param cargo its arrays belong to the committer
 * @param recording sealed; belongs to the committer, which discards it if there is no commit;
 *     {@link ShipmentRecording#NONE} if nothing was recorded
 */
public record ReceivedCargo<R extends ShipmentRecording>(
    ShipmentHeader header, ChangeCargo cargo, R recording) {}
