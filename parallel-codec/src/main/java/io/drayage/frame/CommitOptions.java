package io.drayage.frame;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The options, in the request, with which a worker commits a cargo.
 *
 * @param acknowledgement when the transactor answers
 * @param onConflict the reaction to a conflicting change of another transaction
 * @param database the id of the database whose snapshot the changes were made on; a transactor with
 *     another database refuses them. Null if unknown, or if there is none; never 0
 * @param baseChecksum the checksum of the log entry that made this snapshot; a transactor with
 *     another checksum, as in a diverged copy of the database, refuses them. 0 if unknown
 * @param fragment the transaction of which the cargo is a fragment; null if it is no fragment
 */
public record CommitOptions(
    Acknowledgement acknowledgement,
    OnConflict onConflict,
    @Nullable UUID database,
    int baseChecksum,
    @Nullable FragmentOf fragment) {
  /** The default: an acknowledged commit cannot be lost, and nobody's work is overwritten. */
  public static final CommitOptions DEFAULT =
      new CommitOptions(Acknowledgement.STORED, OnConflict.REJECT);

  /**
   * @throws IllegalArgumentException if the database is 0, which means none on the wire
   */
  public CommitOptions {
    if (new UUID(0, 0).equals(database)) {
      throw new IllegalArgumentException("no database has the id " + database);
    }
  }

  /** Options for any database. */
  public CommitOptions(Acknowledgement acknowledgement, OnConflict onConflict) {
    this(acknowledgement, onConflict, null, 0, null);
  }

  /** Returns these options for a snapshot of a database, whose log entry has this checksum. */
  public CommitOptions on(UUID madeOn, int checksum) {
    return new CommitOptions(acknowledgement, onConflict, madeOn, checksum, fragment);
  }

  /** Returns these options for a fragment of a transaction. */
  public CommitOptions of(FragmentOf transaction) {
    return new CommitOptions(acknowledgement, onConflict, database, baseChecksum, transaction);
  }
}
