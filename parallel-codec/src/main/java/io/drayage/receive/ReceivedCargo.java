package io.drayage.receive;

import io.drayage.cargo.ChangeCargo;
import io.drayage.frame.ShipmentHeader;

/**
 * A cargo that was received whole, decoded and verified. {@link RecordedCargo}: with its frames.
 *
 * @param header what its worker announced
 * @param cargo its arrays belong to the committer
 */
public record ReceivedCargo(ShipmentHeader header, ChangeCargo cargo) {}
