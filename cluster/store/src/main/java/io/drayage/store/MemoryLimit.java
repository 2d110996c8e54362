package io.drayage.store;

import static io.drayage.internal.Texts.format;

import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;

/**
 * The limits of the memory for the snapshots of a store.
 *
 * @param databaseBytes the limit of the newest snapshot
 * @param totalBytes the limit of the newest snapshot, the pages that only its predecessors have
 *     while they are needed, and the pages that the next commit copies
 */
public record MemoryLimit(long databaseBytes, long totalBytes) {
  /** No limit. */
  public static final MemoryLimit NONE = new MemoryLimit(Long.MAX_VALUE, Long.MAX_VALUE);

  /**
   * @throws IllegalArgumentException if the limit of the database is higher than the total
   */
  public MemoryLimit {
    if (databaseBytes < 1 || databaseBytes > totalBytes) {
      throw new IllegalArgumentException(
          format(
              "a database must be limited to 1 to %,d bytes, not %,d", totalBytes, databaseBytes));
    }
  }

  /** Whether a snapshot of this size may grow by these bytes; true if it does not grow. */
  public boolean hasRoom(long usedBytes, long addedBytes) {
    return addedBytes <= 0 || addedBytes <= databaseBytes - usedBytes;
  }

  /**
   * Fails unless {@link #hasRoom}.
   *
   * @throws ShipmentException {@code FULL} in that case
   */
  public void requireRoom(long usedBytes, long addedBytes) throws ShipmentException {
    if (!hasRoom(usedBytes, addedBytes)) {
      throw new ShipmentException(
          Fault.FULL,
          format(
              "the database takes %,d bytes of memory, the cargo would add %,d, and the limit is %,d",
              usedBytes, addedBytes, databaseBytes));
    }
  }

  /**
   * @param usedBytes the memory of the newest snapshot
   * @param retainedBytes the memory that only its predecessors use
   * @throws ShipmentException {@code FULL} if a commit exceeds the limit; {@code BUSY} if it does
   *     only as long as the predecessors are needed
   */
  void admit(long usedBytes, MemoryGrowth growth, long retainedBytes) throws ShipmentException {
    requireRoom(usedBytes, growth.addedBytes());
    long room = totalBytes - usedBytes - growth.addedBytes();
    if (growth.copiedBytes() == 0 || growth.copiedBytes() <= room - retainedBytes) {
      return;
    }
    String rewritten =
        format(
            "the cargo rewrites pages of %,d bytes, and the database of %,d leaves %,d for copies",
            growth.copiedBytes(), usedBytes, Math.max(0, room));
    if (growth.copiedBytes() > room) {
      throw new ShipmentException(Fault.FULL, rewritten + ": commit it in smaller parts");
    }
    throw new ShipmentException(
        Fault.BUSY,
        format(
            "%s, of which %,d are taken by snapshots that are being stored",
            rewritten, retainedBytes));
  }
}
