package io.drayage.transport;

import java.util.BitSet;

/**
 * A shipment that goes on where it was lost.
 *
 * @param shipment takes the place of the one that failed; has the same id, and futures of its own
 * @param received the numbers of the segments that the transactor holds, decoded: they must not be
 *     sent again. All others must, and then the seal, even if it was sent before. If the transactor
 *     holds the whole cargo, then also numbers that the cargo does not have
 */
public record ResumedShipment(Shipment shipment, BitSet received) {}
