package io.drayage.baseline.stream;

import io.drayage.cargo.ColumnType;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;

/**
 * Counts what one stream makes its reader allocate, and refuses the allocation that would exceed
 * the limit, before it is made. One per stream; not thread-safe.
 */
public final class MemoryAccount {
  /** The most elements of one array: 2 GiB of longs. */
  public static final int MAX_ARRAY_LENGTH = 1 << 28;

  /** What an element that is no primitive is charged: a reference and a small object. */
  public static final int OBJECT_BYTES = 48;

  private final long maxBytes;
  private long chargedBytes;

  /**
   * @param maxBytes the most bytes that all arrays of the stream may take together
   */
  public MemoryAccount(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  /**
   * Charges an array that is about to be allocated.
   *
   * @param length as the stream states it; may be anything
   * @throws ShipmentException {@code LIMIT} if the array or all of them together are too large
   */
  public void charge(long length, int elementBytes) throws ShipmentException {
    if (length < 0 || length > MAX_ARRAY_LENGTH) {
      throw new ShipmentException(
          Fault.LIMIT,
          "the stream holds an array of %,d elements; the limit is %,d"
              .formatted(length, MAX_ARRAY_LENGTH));
    }
    long charged = chargedBytes + length * elementBytes;
    if (charged > maxBytes) {
      throw new ShipmentException(
          Fault.LIMIT,
          "the stream holds arrays of %,d bytes or more; the limit is %,d"
              .formatted(charged, maxBytes));
    }
    chargedBytes = charged;
  }

  /** What one value of {@code type} is charged. */
  public static int elementBytes(ColumnType type) {
    return type.isFixedWidth() ? type.widthBytes() : OBJECT_BYTES;
  }
}
