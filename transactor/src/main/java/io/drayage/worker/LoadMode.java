package io.drayage.worker;

/** How a worker gets the snapshots that its own commits made. */
public enum LoadMode {
  /** From the cargo that it still has; others' from the object store. */
  OWN,
  /** All from the object store, as the study did. */
  STORE
}
