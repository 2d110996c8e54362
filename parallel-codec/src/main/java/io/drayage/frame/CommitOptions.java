package io.drayage.frame;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * How a worker wants its cargo committed. Travels in the request.
 *
 * @param acknowledgement when the transactor answers
 * @param onConflict what happens if somebody else changed the same
 * @param database the id of the database whose snapshot the changes were made on: a transactor that
 *     has another one refuses them. Null if nobody knows, or there is none; never 0
 * @param baseChecksum of the entry of the log that made this snapshot: a transactor where it has
 *     another one, as in a copy of the database that went its own way, refuses them. 0 if unknown
 * @param fragment the transaction of which the cargo is a fragment; null if it is its own
 */
public record CommitOptions(
    Acknowledgement acknowledgement,
    OnConflict onConflict,
    @Nullable UUID database,
    int baseChecksum,
    @Nullable FragmentOf fragment) {
  /** An acknowledged commit cannot be lost, and nobody's work is overwritten. */
  public static final CommitOptions DEFAULT =
      new CommitOptions(Acknowledgement.STORED, OnConflict.REJECT);

  /**
   * @throws IllegalArgumentException if the database is 0, which stands for none on the wire
   */
  public CommitOptions {
    if (new UUID(0, 0).equals(database)) {
      throw new IllegalArgumentException("no database has the id " + database);
    }
  }

  /** For whichever database the transactor has. */
  public CommitOptions(Acknowledgement acknowledgement, OnConflict onConflict) {
    this(acknowledgement, onConflict, null, 0, null);
  }

  /** The same for a cargo that was made on a snapshot of a database, whose entry has a checksum. */
  public CommitOptions on(UUID madeOn, int checksum) {
    return new CommitOptions(acknowledgement, onConflict, madeOn, checksum, fragment);
  }

  /** The same for a fragment of a transaction. */
  public CommitOptions of(FragmentOf transaction) {
    return new CommitOptions(acknowledgement, onConflict, database, baseChecksum, transaction);
  }
}
