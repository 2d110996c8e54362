package io.drayage.worker;

/** What a commit did to a row. */
public enum ChangeKind {
  INSERT,
  UPDATE,
  DELETE
}
