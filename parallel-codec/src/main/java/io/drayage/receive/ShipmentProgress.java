package io.drayage.receive;

import java.util.UUID;

/**
 * How far a shipment is at its receiver.
 *
 * @param worker as its certificate proves, or as it states
 * @param receivedBytes the bytes of frames, with those that were sent again
 * @param memoryBytes what its cargo takes of {@link ReceiverLimits#maxReceivingBytes}
 * @param ageNs since it was admitted
 */
public record ShipmentProgress(
    String worker, UUID transactionId, long receivedBytes, long memoryBytes, long ageNs) {}
