package io.drayage.snapshot;

import static io.drayage.internal.Texts.format;

import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentHeader;
import org.jspecify.annotations.Nullable;

/**
 * The cargo of a snapshot: frames in the wire format, up to their seal.
 *
 * @param data the frames
 * @param header the way in which the cargo was shipped, and its codecs
 * @param seal the cargo's seal
 * @param frames the index of its frames, for a full snapshot: they are in the order of its
 *     segments, and planned by {@link io.drayage.codec.CargoFrames}. Null for a shipped cargo
 */
public record SnapshotContents(
    StoredBytes data, ShipmentHeader header, Seal seal, @Nullable FrameIndex frames) {
  /**
   * @throws IllegalArgumentException if the index does not have every block
   */
  public SnapshotContents {
    if (frames != null && frames.blockCount() != data.digest().blockCount()) {
      throw new IllegalArgumentException(
          format(
              "%,d blocks are indexed, there are %,d",
              frames.blockCount(), data.digest().blockCount()));
    }
  }

  /** The contents of a shipped cargo. */
  public SnapshotContents(StoredBytes data, ShipmentHeader header, Seal seal) {
    this(data, header, seal, null);
  }
}
