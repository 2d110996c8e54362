package io.drayage.transport;

import io.drayage.frame.Credit;
import java.time.Duration;

/**
 * What a transport may be told. Every transport takes what applies to it.
 *
 * @param openTimeout how long a client waits for a connection and the answer to its request
 * @param idleTimeout how long a peer may send nothing at all, heartbeats included, before it counts
 *     as gone
 * @param shipmentCreditBytes bytes of frames that one shipment may have under way or undecoded
 * @param serverBudgetBytes the same for all shipments of a server together
 */
public record TransportOptions(
    Duration openTimeout, Duration idleTimeout, long shipmentCreditBytes, long serverBudgetBytes) {
  /** 10 s to open, 30 s of silence, 8 MiB for a shipment and 128 MiB for a server. */
  public static final TransportOptions DEFAULT =
      new TransportOptions(Duration.ofSeconds(10), Duration.ofSeconds(30), 8 << 20, 128 << 20);

  public TransportOptions {
    if (openTimeout.isNegative() || openTimeout.isZero()) {
      throw new IllegalArgumentException("openTimeout must be positive, not " + openTimeout);
    }
    if (idleTimeout.isNegative() || idleTimeout.isZero()) {
      throw new IllegalArgumentException("idleTimeout must be positive, not " + idleTimeout);
    }
    if (shipmentCreditBytes < Credit.MAX_CHARGE_BYTES || shipmentCreditBytes > serverBudgetBytes) {
      throw new IllegalArgumentException(
          "shipmentCreditBytes must be %,d, the largest frame, to serverBudgetBytes (%,d), not %,d"
              .formatted(Credit.MAX_CHARGE_BYTES, serverBudgetBytes, shipmentCreditBytes));
    }
  }

  /** The same with another idle timeout. */
  public TransportOptions withIdleTimeout(Duration timeout) {
    return new TransportOptions(openTimeout, timeout, shipmentCreditBytes, serverBudgetBytes);
  }

  /** The same with other bounds on the receiver's memory. */
  public TransportOptions withReceiverBytes(long perShipment, long perServer) {
    return new TransportOptions(openTimeout, idleTimeout, perShipment, perServer);
  }
}
