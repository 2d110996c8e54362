package io.drayage.worker;

/** The effect of a commit on a row. */
public enum ChangeKind {
  /** A new row, with all of its values. */
  INSERT,
  /** A changed row, with the values that changed. */
  UPDATE,
  /** A deleted row, without values. */
  DELETE
}
