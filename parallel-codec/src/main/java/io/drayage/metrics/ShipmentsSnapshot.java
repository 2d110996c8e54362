package io.drayage.metrics;

import io.drayage.frame.Fault;
import java.util.EnumMap;
import java.util.Map;

/**
 * What became of the shipments of an end.
 *
 * @param opened shipments that the transactor accepted
 * @param held cargoes that the transactor held whole, decoded and verified
 * @param committed cargoes that took effect
 * @param failedByFault shipments that ended without, or were refused, by the reason; without those
 *     reasons that did not occur
 * @param reconnects how often a worker went on with a shipment whose connections were lost
 */
public record ShipmentsSnapshot(
    long opened, long held, long committed, Map<Fault, Long> failedByFault, long reconnects) {
  public ShipmentsSnapshot {
    Map<Fault, Long> occurred = new EnumMap<>(Fault.class);
    failedByFault.forEach(
        (fault, count) -> {
          if (count != 0) {
            occurred.put(fault, count);
          }
        });
    failedByFault = Map.copyOf(occurred);
  }

  /** Shipments that failed for any reason. */
  public long failed() {
    return failedByFault.values().stream().mapToLong(Long::longValue).sum();
  }

  /** How many failed for this reason. */
  public long failed(Fault fault) {
    return failedByFault.getOrDefault(fault, 0L);
  }

  /** What happened since {@code earlier}. */
  public ShipmentsSnapshot minus(ShipmentsSnapshot earlier) {
    Map<Fault, Long> since = new EnumMap<>(Fault.class);
    failedByFault.forEach((fault, count) -> since.put(fault, count - earlier.failed(fault)));
    return new ShipmentsSnapshot(
        opened - earlier.opened,
        held - earlier.held,
        committed - earlier.committed,
        since,
        reconnects - earlier.reconnects);
  }
}
