package io.drayage.baseline.stream;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.ColumnType;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.memory.MemoryCharge;

/**
 * Counts what one stream makes its reader allocate, and refuses the allocation that would exceed
 * the limit, before it is made. One per stream; not thread-safe.
 */
public final class MemoryAccount {
  /** The most elements of one array: 2 GiB of longs. */
  public static final int MAX_ARRAY_LENGTH = 1 << 28;

  /** What an element that is no primitive is charged: a reference and a small object. */
  public static final int OBJECT_BYTES = 48;

  /**
   * What a string is charged besides its characters, as long as it is there: two objects, padding
   * and a reference. The JVM compresses references in heaps below 32 GiB.
   */
  public static final int STRING_BYTES = Runtime.getRuntime().maxMemory() < 32L << 30 ? 52 : 64;

  /** Memory is acquired in steps of this size: a stream does not state its own. */
  private static final long STEP_BYTES = 1 << 20;

  private final long maxBytes;
  private final MemoryCharge memory;
  private long chargedBytes;
  private long acquiredBytes;

  /** An account whose memory is nobody else's concern. */
  public MemoryAccount(long maxBytes) {
    this(maxBytes, bytes -> {});
  }

  /**
   * @param maxBytes the most bytes that all arrays of the stream may take together
   * @param memory is charged with them too
   */
  public MemoryAccount(long maxBytes, MemoryCharge memory) {
    this.maxBytes = maxBytes;
    this.memory = memory;
  }

  /** The most bytes that may be charged. */
  public long maxBytes() {
    return maxBytes;
  }

  /**
   * Charges an array that is about to be allocated.
   *
   * @param length as the stream states it; may be anything
   * @throws ShipmentException {@code LIMIT} if the array or all of them together are too large;
   *     that of the memory if there is too little
   */
  public void charge(long length, int elementBytes) throws ShipmentException {
    if (length < 0 || length > MAX_ARRAY_LENGTH) {
      throw new ShipmentException(
          Fault.LIMIT,
          format(
              "the stream holds an array of %,d elements; the limit is %,d",
              length, MAX_ARRAY_LENGTH));
    }
    charge(length * elementBytes);
  }

  /** As {@link #charge(long, int)}, for so many bytes. */
  public void charge(long bytes) throws ShipmentException {
    if (bytes > maxBytes - chargedBytes) {
      throw new ShipmentException(
          Fault.LIMIT,
          format(
              "the stream holds arrays of %,d bytes or more; the limit is %,d",
              chargedBytes + bytes, maxBytes));
    }
    chargedBytes += bytes;
    acquire(chargedBytes);
  }

  /**
   * Notes how many bytes the stream has given so far: with what they became, they take at least as
   * much memory.
   */
  void given(long bytes) throws ShipmentException {
    acquire(Math.min(bytes, maxBytes));
  }

  private void acquire(long bytes) throws ShipmentException {
    if (bytes > acquiredBytes) {
      long step = Math.max(bytes, Math.min(acquiredBytes + STEP_BYTES, maxBytes)) - acquiredBytes;
      memory.charge(step);
      acquiredBytes += step;
    }
  }

  /** What one value of {@code type} is charged; a text is a string, besides its characters. */
  public static int elementBytes(ColumnType type) {
    return type.isFixedWidth() ? type.widthBytes() : STRING_BYTES;
  }
}
