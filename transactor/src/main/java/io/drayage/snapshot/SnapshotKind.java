package io.drayage.snapshot;

/** What a manifest describes. */
public enum SnapshotKind {
  /** The changes of one transaction. */
  COMMIT("commit"),
  /** No change: a new primary has taken over, and whoever was primary before cannot go on. */
  TAKEOVER("takeover"),
  /** All rows of all tables. */
  FULL("full");

  private final String text;

  SnapshotKind(String text) {
    this.text = text;
  }

  /** As it is written. */
  public String text() {
    return text;
  }

  /** Whether it takes a place in the log, of which there is one for each timestamp. */
  public boolean isLogEntry() {
    return this != FULL;
  }
}
