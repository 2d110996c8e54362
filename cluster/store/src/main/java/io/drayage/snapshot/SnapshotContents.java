package io.drayage.snapshot;

import static io.drayage.internal.Texts.format;

import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentHeader;
import org.jspecify.annotations.Nullable;

/**
 * The cargo of a snapshot: frames in the wire format, up to their seal.
 *
 * @param data the frames
 * @param header how the cargo was shipped, and how to decode it
 * @param seal the cargo's seal
 * @param frames where its frames begin, if they are in the order of its segments and planned as
 *     {@link io.drayage.codec.CargoFrames} does: of a full snapshot; null of what was shipped
 */
public record SnapshotContents(
    StoredBytes data, ShipmentHeader header, Seal seal, @Nullable FrameIndex frames) {
  /**
   * @throws IllegalArgumentException if the index does not tell of every block
   */
  public SnapshotContents {
    if (frames != null && frames.blockCount() != data.digest().blockCount()) {
      throw new IllegalArgumentException(
          format(
              "%,d blocks are indexed, there are %,d",
              frames.blockCount(), data.digest().blockCount()));
    }
  }

  /** What was shipped. */
  public SnapshotContents(StoredBytes data, ShipmentHeader header, Seal seal) {
    this(data, header, seal, null);
  }
}
