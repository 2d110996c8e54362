package io.drayage.receive;

import io.drayage.codec.Serializer;
import io.drayage.codec.Serializers;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The limits of a receiver for its workers.
 *
 * @param maxCargoBytes raw bytes of the largest cargo
 * @param maxReceivingBytes memory of all cargoes that are being received or wait for their commit:
 *     a text takes about 50 bytes more than its characters
 * @param maxShipments shipments at a time
 * @param serializers the names of those that workers may use. The others are refused by name, even
 *     if this JVM has them
 */
public record ReceiverLimits(
    long maxCargoBytes, long maxReceivingBytes, int maxShipments, Set<String> serializers) {
  /** The default of {@link #maxShipments}. */
  public static final int DEFAULT_MAX_SHIPMENTS = 64;

  /**
   * The default of {@link #serializers}: those on the class path that read nothing but numbers and
   * texts. The libraries behind the others can build objects that the bytes choose; our readers
   * prevent it, but a transactor that does not need them need not trust that.
   */
  public static final Set<String> DATA_ONLY =
      Serializers.all().stream()
          .filter(Serializer::readsDataOnly)
          .map(Serializer::name)
          .collect(Collectors.toUnmodifiableSet());

  /**
   * @throws IllegalArgumentException if a limit is out of its range, or a serializer is unknown
   */
  public ReceiverLimits {
    if (maxCargoBytes < 1 || maxCargoBytes > maxReceivingBytes) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "maxCargoBytes must be 1 to maxReceivingBytes (%,d), not %,d",
              maxReceivingBytes,
              maxCargoBytes));
    }
    if (maxShipments < 1) {
      throw new IllegalArgumentException(
          String.format(Locale.ROOT, "maxShipments must be at least 1, not %d", maxShipments));
    }
    serializers = Set.copyOf(serializers);
    serializers.forEach(Serializers::ofName);
  }

  /** With the serializers that are {@link #DATA_ONLY}. */
  public ReceiverLimits(long maxCargoBytes, long maxReceivingBytes, int maxShipments) {
    this(maxCargoBytes, maxReceivingBytes, maxShipments, DATA_ONLY);
  }

  /** Three quarters of this JVM's largest heap, for one cargo or several. */
  public static ReceiverLimits ofHeap() {
    long bytes = Runtime.getRuntime().maxMemory() / 4 * 3;
    return new ReceiverLimits(bytes, bytes, DEFAULT_MAX_SHIPMENTS);
  }

  /** These limits, with one more serializer allowed. */
  public ReceiverLimits allowing(Serializer serializer) {
    Set<String> allowed = new TreeSet<>(serializers);
    allowed.add(serializer.name());
    return new ReceiverLimits(maxCargoBytes, maxReceivingBytes, maxShipments, allowed);
  }
}
