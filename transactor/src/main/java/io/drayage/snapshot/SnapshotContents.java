package io.drayage.snapshot;

import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentHeader;

/**
 * The cargo of a snapshot: frames in the format of the wire, up to their seal.
 *
 * @param data where the frames lie
 * @param header how the cargo was shipped, and by whom; says how to read it
 * @param seal what closes it
 */
public record SnapshotContents(StoredBytes data, ShipmentHeader header, Seal seal) {}
