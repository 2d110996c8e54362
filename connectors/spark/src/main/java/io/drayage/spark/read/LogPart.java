package io.drayage.spark.read;

import io.drayage.replica.TableLog;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.connector.read.InputPartition;

/** Consecutive changes of a table, which one task reads. */
record LogPart(List<TableLog.Change> changes) implements InputPartition {
  private static final long serialVersionUID = 1;

  /** The least bytes of a part, because each may need the table before its changes. */
  private static final long MIN_BYTES = 4L << 20;

  private static final long MAX_BYTES = 64L << 20;

  LogPart {
    changes = List.copyOf(changes);
  }

  /**
   * Cuts changes into parts of about the same size.
   *
   * @param tasks number of tasks that may run at the same time
   */
  static List<LogPart> cut(List<TableLog.Change> changes, int tasks) {
    long share = new LogPart(changes).rawBytes() / tasks;
    long bytes = Math.max(MIN_BYTES, Math.min(MAX_BYTES, share));
    List<LogPart> parts = new ArrayList<>();
    List<TableLog.Change> part = new ArrayList<>();
    long held = 0;
    for (TableLog.Change change : changes) {
      part.add(change);
      held += change.rawBytes();
      if (held >= bytes) {
        parts.add(new LogPart(part));
        part.clear();
        held = 0;
      }
    }
    if (!part.isEmpty()) {
      parts.add(new LogPart(part));
    }
    return parts;
  }

  long rawBytes() {
    return changes.stream().mapToLong(TableLog.Change::rawBytes).sum();
  }
}
