package io.drayage.receive;

import java.time.Duration;
import java.util.UUID;

/**
 * A shipment that is being received.
 *
 * @param worker who ships it; the proven name where workers have to prove who they are
 * @param wireBytes what has arrived, as frames
 * @param age since it was accepted
 */
public record ShipmentProgress(UUID transactionId, String worker, long wireBytes, Duration age) {}
