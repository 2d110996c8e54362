package io.drayage.database;

/** The source from which a worker loads the snapshots of its own commits. */
public enum LoadMode {
  /** Own commits from the cargo in its memory; others' from the object store. */
  OWN,
  /** All from the object store, as in the study. */
  STORE
}
