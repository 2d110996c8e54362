package io.drayage.snapshot;

import java.util.function.Consumer;

/**
 * Steps of the commit protocol, at which tests end a process as {@code kill -9} does. Nothing
 * happens at them unless code of this package, which only tests have, observes them: no option or
 * property of a node does.
 */
public enum CrashPoint {
  /** Transactor: a shipment was requested, and is about to be accepted. */
  REQUESTED,
  /** Transactor: a frame of a cargo has arrived. */
  ARRIVING,
  /** Transactor: a cargo is complete, and not applied yet. */
  HELD,
  /** Transactor: it is applied in memory, and nothing was answered. */
  APPLIED,
  /** Transactor: its frames are in the object store, its entry in the log is not. */
  UPLOADED,
  /** Transactor: its entry is in the log, and nothing was answered. */
  LOGGED,
  /** Transactor: "stored" was answered; it is not published. */
  STORED,
  /** Transactor: it is published, and that was not answered. */
  PUBLISHED,
  /** Transactor: elected, nothing is loaded. */
  ELECTED,
  /** Transactor: it has read the log, and not closed it to the previous primary. */
  RECOVERED,
  /** Transactor: its takeover is in the log, and it accepts no cargoes yet. */
  TAKEN_OVER,
  /** Transactor: a full snapshot is about to be written. */
  FULL_BEGUN,
  /** Transactor: a full snapshot is written, and nothing it replaces is deleted. */
  FULL_WRITTEN,
  /** Worker: the cargo is created, and not sent. */
  CONVERTED,
  /** Worker: the transactor has answered. */
  ACKNOWLEDGED,
  /** Worker: the snapshot is published, and not loaded. */
  SEEN;

  /** Set by tests, before anything else; read by whichever thread reaches a point. */
  private static volatile Consumer<CrashPoint> observer = point -> {};

  /** Has an observer told of each point that is reached, on the thread that reaches it. */
  static void observe(Consumer<CrashPoint> reached) {
    observer = reached;
  }

  /** Tells the observer of tests, if there is one. */
  public void reach() {
    observer.accept(this);
  }
}
