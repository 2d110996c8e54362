package io.drayage.pipeline;

/**
 * What a transactor takes from its workers.
 *
 * @param maxCargoBytes raw bytes of the largest cargo
 * @param maxReceivingBytes raw bytes of all cargoes that are being received as segments or wait for
 *     their commit; a stream does not state its size and is not counted
 * @param maxShipments shipments at a time
 */
public record ReceiverLimits(long maxCargoBytes, long maxReceivingBytes, int maxShipments) {
  /** The default of {@link #maxShipments}. */
  public static final int DEFAULT_MAX_SHIPMENTS = 64;

  public ReceiverLimits {
    if (maxCargoBytes < 1 || maxCargoBytes > maxReceivingBytes) {
      throw new IllegalArgumentException(
          "maxCargoBytes must be 1 to maxReceivingBytes (%,d), not %,d"
              .formatted(maxReceivingBytes, maxCargoBytes));
    }
    if (maxShipments < 1) {
      throw new IllegalArgumentException(
          "maxShipments must be at least 1, not %d".formatted(maxShipments));
    }
  }

  /** Three quarters of this JVM's largest heap, for one cargo or several. */
  public static ReceiverLimits ofHeap() {
    long bytes = Runtime.getRuntime().maxMemory() / 4 * 3;
    return new ReceiverLimits(bytes, bytes, DEFAULT_MAX_SHIPMENTS);
  }
}
