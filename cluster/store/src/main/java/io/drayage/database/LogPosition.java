package io.drayage.database;

import static io.drayage.internal.Texts.format;

import java.io.Serial;
import java.io.Serializable;
import java.util.UUID;

/**
 * An entry of the log of one database. Each entry names the checksum of the one before, so logs
 * that have the same entry are the same up to there.
 *
 * @param database the id that the database got when it was made
 * @param timestamp the number of the entry
 * @param checksum the CRC32C of the entry as stored, which distinguishes it from any other entry of
 *     that number; 0 before the first entry
 */
public record LogPosition(UUID database, long timestamp, int checksum) implements Serializable {
  @Serial private static final long serialVersionUID = 1;

  /** Whether this entry belongs to the same database, and has a higher timestamp. */
  public boolean follows(LogPosition earlier) {
    return database.equals(earlier.database) && timestamp > earlier.timestamp;
  }

  /** The position as messages show it. */
  @Override
  public String toString() {
    return format("snapshot %d of database %s with checksum %08x", timestamp, database, checksum);
  }
}
