package io.drayage.isolation;

/**
 * Something in a history that snapshot isolation, or the protocol, does not allow.
 *
 * @param text which transactions, and why
 */
public record Anomaly(Kind kind, String text) {
  /** What it is; the first seven in the words of Adya and of Elle. */
  public enum Kind {
    /** A cycle of writes. */
    G0,
    /** A read of what was aborted. */
    G1A,
    /** A read of an intermediate write. */
    G1B,
    /** A cycle of writes and reads. */
    G1C,
    /** A cycle with one read of a version that another replaced. */
    G_SINGLE,
    /** A cycle with more of them, no two in a row. */
    G_NONADJACENT,
    /** Two that read the same version have both replaced it. */
    LOST_UPDATE,
    /** No order of a list's elements explains all reads. */
    INCOMPATIBLE_ORDER,
    /** An element that nobody wrote. */
    UNWRITTEN,
    /** An element twice in a list. */
    DUPLICATE,
    /** A session does not see what it saw or wrote before. */
    SESSION,
    /** Sent after another was acknowledged, and committed before it. */
    REAL_TIME,
    /** A read that is not of its base snapshot. */
    WRONG_SNAPSHOT,
    /** Both of two that wrote the same at once are committed. */
    FIRST_COMMITTER,
    /** A conflict without another that could be its reason. */
    UNJUSTIFIED_CONFLICT,
    /** Acknowledged, and not in the log with that timestamp. */
    LOST,
    /** Reported as having no effect, and in the log. */
    NOT_ABORTED,
    /** Two with one timestamp, one with two, or an unknown one. */
    LOG
  }

  @Override
  public String toString() {
    return kind + ": " + text;
  }
}
