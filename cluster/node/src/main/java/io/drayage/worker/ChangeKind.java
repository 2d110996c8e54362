package io.drayage.worker;

/** What a commit did to a row. */
public enum ChangeKind {
  /** A row that was not there: all of its values. */
  INSERT,
  /** A row that stays: the values that changed. */
  UPDATE,
  /** A row that is gone: no values. */
  DELETE
}
