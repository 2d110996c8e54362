package io.drayage.receive;

import java.time.Duration;
import java.util.UUID;

/**
 * A shipment that is being received, or waits for that.
 *
 * @param worker who ships it; the proven name where workers have to prove who they are
 * @param wireBytes what has arrived, as frames
 * @param age since it was accepted, or asked for the first time
 * @param waits whether it is not admitted yet: its worker asks again and again
 */
public record ShipmentProgress(
    UUID transactionId, String worker, long wireBytes, Duration age, boolean waits) {}
