package io.drayage.database;

/** How a worker loads the snapshots of its own commits. */
public enum LoadMode {
  /** From the cargo in its memory; others' from the object store. */
  OWN,
  /** All from the object store, as the study did. */
  STORE
}
