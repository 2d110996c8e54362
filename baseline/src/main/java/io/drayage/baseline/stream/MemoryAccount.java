package io.drayage.baseline.stream;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.ColumnType;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.memory.MemoryCharge;

/**
 * Counts the bytes that one stream makes its reader allocate. An allocation that would exceed the
 * limit is refused before it is made. One per stream; not thread-safe.
 */
public final class MemoryAccount {
  /** The most elements of one array: 2 GiB of longs. */
  public static final int MAX_ARRAY_LENGTH = 1 << 28;

  /** Bytes that are charged for an element that is no primitive: a reference and a small object. */
  public static final int OBJECT_BYTES = 48;

  /**
   * Bytes that are charged for a string besides its characters, as long as the string exists: two
   * objects, padding and a reference. The JVM compresses references in heaps below 32 GiB.
   */
  public static final int STRING_BYTES = Runtime.getRuntime().maxMemory() < 32L << 30 ? 52 : 64;

  /** Memory is acquired in steps of this size, because a stream does not state its own size. */
  private static final long STEP_BYTES = 1 << 20;

  private final long maxBytes;
  private final MemoryCharge memory;
  private long chargedBytes;
  private long acquiredBytes;

  /** Creates an account that charges nobody else. */
  public MemoryAccount(long maxBytes) {
    this(maxBytes, bytes -> {});
  }

  /**
   * @param maxBytes the most bytes of all arrays of the stream together
   * @param memory is charged as well
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
   * @throws ShipmentException {@code LIMIT} if the array, or all arrays together, are too large;
   *     the exception of the memory if there is too little
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

  /** Charges bytes, as {@link #charge(long, int)} does. */
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
   * Notes the number of bytes that were read so far. Bytes and their objects together need at least
   * as much memory.
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

  /** Bytes charged for one value of {@code type}; for a text, without its characters. */
  public static int elementBytes(ColumnType type) {
    return type.isFixedWidth() ? type.widthBytes() : STRING_BYTES;
  }
}
