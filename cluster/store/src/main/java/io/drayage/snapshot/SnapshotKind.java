package io.drayage.snapshot;

/** The kind of a manifest. */
public enum SnapshotKind {
  /** The changes of one transaction. */
  COMMIT("commit"),
  /** No changes: a transaction ends without effect, as its coordinator wanted. */
  ABORT("abort"),
  /** No changes: a transaction ends without effect, because nobody renewed its lease. */
  EXPIRED("expired"),
  /** No changes: a new primary has taken over, which bars the former primary from the log. */
  TAKEOVER("takeover"),
  /** All rows of all tables. */
  FULL("full");

  private final String text;

  SnapshotKind(String text) {
    this.text = text;
  }

  /** As written in a manifest. */
  public String text() {
    return text;
  }

  /** Whether it ends a transaction. */
  public boolean endsTransaction() {
    return this == COMMIT || this == ABORT || this == EXPIRED;
  }

  /** Whether it is an entry of the log, which has one for each timestamp. */
  public boolean isLogEntry() {
    return this != FULL;
  }
}
