package io.drayage.snapshot;

import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentHeader;

/**
 * The cargo of a snapshot: frames in the wire format, up to their seal.
 *
 * @param data the frames
 * @param header how the cargo was shipped, and how to decode it
 * @param seal the cargo's seal
 */
public record SnapshotContents(StoredBytes data, ShipmentHeader header, Seal seal) {}
