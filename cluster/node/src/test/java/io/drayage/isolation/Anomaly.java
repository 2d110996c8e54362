package io.drayage.isolation;

/**
 * A contradiction in a history to snapshot isolation, or to the protocol.
 *
 * @param text the transactions and the reason
 */
public record Anomaly(Kind kind, String text) {
  /** The kind of an anomaly; the first seven have the names of Adya and of Elle. */
  public enum Kind {
    /** A cycle of writes. */
    G0,
    /** A read of an aborted write. */
    G1A,
    /** A read of an intermediate write. */
    G1B,
    /** A cycle of writes and reads. */
    G1C,
    /** A cycle with one read of a version that another replaced. */
    G_SINGLE,
    /** A cycle with several such reads, no two in a row. */
    G_NONADJACENT,
    /** Two transactions that read the same version have both replaced it. */
    LOST_UPDATE,
    /** No order of a list's elements explains all reads. */
    INCOMPATIBLE_ORDER,
    /** An element that nobody wrote. */
    UNWRITTEN,
    /** An element twice in a list. */
    DUPLICATE,
    /** A session does not see a version that it saw or wrote before. */
    SESSION,
    /** A transaction was sent after another was acknowledged, and committed before it. */
    REAL_TIME,
    /** A read that does not match its base snapshot. */
    WRONG_SNAPSHOT,
    /** Two transactions that wrote the same at once are both committed. */
    FIRST_COMMITTER,
    /** A conflict without another transaction that explains it. */
    UNJUSTIFIED_CONFLICT,
    /** A transaction was acknowledged, and the log does not have it with that timestamp. */
    LOST,
    /** A transaction was reported as without effect, and the log has it. */
    NOT_ABORTED,
    /** Two transactions with one timestamp, one with two, or an unknown one. */
    LOG
  }

  @Override
  public String toString() {
    return kind + ": " + text;
  }
}
