package io.drayage.receive;

import java.time.Duration;
import java.util.UUID;

/**
 * A shipment that is being received, or waits for that.
 *
 * @param worker the shipping worker; the proven name if workers have to prove their names
 * @param wireBytes bytes of the frames that have arrived
 * @param age time since the shipment was accepted, or its worker asked for the first time
 * @param waits whether it is not admitted yet: its worker asks repeatedly
 */
public record ShipmentProgress(
    UUID transactionId, String worker, long wireBytes, Duration age, boolean waits) {}
