package io.drayage.frame;

/**
 * How a worker wants its cargo committed. Travels in the request.
 *
 * @param acknowledgement when the transactor answers
 * @param onConflict what happens if somebody else changed the same
 */
public record CommitOptions(Acknowledgement acknowledgement, OnConflict onConflict) {
  /** An acknowledged commit cannot be lost, and nobody's work is overwritten. */
  public static final CommitOptions DEFAULT =
      new CommitOptions(Acknowledgement.STORED, OnConflict.REJECT);
}
