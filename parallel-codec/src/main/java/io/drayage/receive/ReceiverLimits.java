package io.drayage.receive;

import static io.drayage.internal.Texts.format;

import io.drayage.codec.Serializer;

/**
 * The limits of a receiver for its workers.
 *
 * @param maxCargoBytes raw bytes of the largest cargo
 * @param maxReceivingBytes memory of all cargoes in bytes, while they are received or wait for
 *     their commit: a text needs about 50 bytes more than its characters
 * @param maxShipments number of shipments at a time
 * @param codecs the pipelines, serializers and compressors that workers may use. Others are refused
 *     by name, even if this JVM has them
 */
public record ReceiverLimits(
    long maxCargoBytes, long maxReceivingBytes, int maxShipments, AllowedCodecs codecs) {
  /** The default of {@link #maxShipments}. */
  public static final int DEFAULT_MAX_SHIPMENTS = 64;

  /** The default of {@link #codecs}. */
  public static final AllowedCodecs DATA_ONLY = AllowedCodecs.DATA_ONLY;

  /**
   * @throws IllegalArgumentException if a limit is out of its range
   */
  public ReceiverLimits {
    if (maxCargoBytes < 1 || maxCargoBytes > maxReceivingBytes) {
      throw new IllegalArgumentException(
          format(
              "maxCargoBytes must be 1 to maxReceivingBytes (%,d), not %,d",
              maxReceivingBytes, maxCargoBytes));
    }
    if (maxShipments < 1) {
      throw new IllegalArgumentException(
          format("maxShipments must be at least 1, not %d", maxShipments));
    }
  }

  /** Creates limits with the codecs that are {@link #DATA_ONLY}. */
  public ReceiverLimits(long maxCargoBytes, long maxReceivingBytes, int maxShipments) {
    this(maxCargoBytes, maxReceivingBytes, maxShipments, DATA_ONLY);
  }

  /**
   * Returns limits of three quarters of the present free heap of this JVM, for one cargo or
   * several. Call this when the process has loaded its own data. Garbage counts as used, unless
   * used memory is more than a quarter of the heap: then the garbage is collected before.
   */
  public static ReceiverLimits ofHeap() {
    Runtime jvm = Runtime.getRuntime();
    if (usedBytes(jvm) > jvm.maxMemory() / 4) {
      System.gc();
    }
    return ofFree(jvm.maxMemory() - usedBytes(jvm));
  }

  private static long usedBytes(Runtime jvm) {
    return jvm.totalMemory() - jvm.freeMemory();
  }

  static ReceiverLimits ofFree(long freeBytes) {
    long bytes = Math.max(1, freeBytes / 4 * 3);
    return new ReceiverLimits(bytes, bytes, DEFAULT_MAX_SHIPMENTS);
  }

  /** Returns these limits, with one more serializer allowed. */
  public ReceiverLimits allowing(Serializer serializer) {
    return with(codecs.allowing(serializer));
  }

  /** Returns these limits, with other codecs. */
  public ReceiverLimits with(AllowedCodecs allowed) {
    return new ReceiverLimits(maxCargoBytes, maxReceivingBytes, maxShipments, allowed);
  }
}
