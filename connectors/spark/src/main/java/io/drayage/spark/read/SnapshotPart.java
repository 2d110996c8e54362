package io.drayage.spark.read;

import io.drayage.database.LogPosition;
import org.apache.spark.sql.connector.read.InputPartition;

/**
 * A part of the rows of a snapshot, with which a stream begins.
 *
 * @param createdMicros the time of the snapshot, since 1970
 */
record SnapshotPart(ScanRange rows, LogPosition snapshot, long createdMicros)
    implements InputPartition {
  private static final long serialVersionUID = 1;
}
