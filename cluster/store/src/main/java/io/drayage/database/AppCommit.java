package io.drayage.database;

import io.drayage.cargo.Names;
import io.drayage.frame.AppVersion;

/**
 * A committed transaction of an application.
 *
 * @param owner the worker that committed the transaction, and owns the application
 * @param timestamp of its snapshot
 */
public record AppCommit(AppVersion version, String owner, long timestamp) {
  private static final int NUMBER_BYTES = 2 * Long.BYTES + 3 * Short.BYTES;

  /** Returns the bytes that a history of transactions needs for this commit. Allocates nothing. */
  public int storedBytes() {
    int bytes = NUMBER_BYTES + Names.utf8Bytes(version.app()) + Names.utf8Bytes(owner);
    for (int i = 0; i < version.tables().size(); i++) {
      bytes += Names.utf8Bytes(version.tables().get(i)) + (i > 0 ? 1 : 0);
    }
    return bytes;
  }
}
