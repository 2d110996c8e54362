package io.drayage.snapshot;

import java.lang.System.Logger.Level;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Steps of the commit protocol at which a test can make this process die as if by {@code kill -9}:
 * no hook runs, nothing is flushed. Chosen by the system property {@value #PROPERTY}: {@code
 * applied}, or {@code applied:3} for the third time. Without it they do nothing.
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

  /** The point, and how often it must be reached. */
  public static final String PROPERTY = "drayage.crashAt";

  /** The exit code of a process that was killed by signal 9. */
  public static final int EXIT_CODE = 137;

  private static final System.Logger LOG = System.getLogger(CrashPoint.class.getName());
  private static final Plan PLAN = Plan.parse(System.getProperty(PROPERTY));

  private record Plan(@Nullable CrashPoint point, AtomicInteger left) {
    static Plan parse(@Nullable String text) {
      if (text == null) {
        return new Plan(null, new AtomicInteger());
      }
      String[] parts = text.split(":", 2);
      CrashPoint point = valueOf(parts[0].toUpperCase(Locale.ROOT).replace('-', '_'));
      return new Plan(point, new AtomicInteger(parts.length == 1 ? 1 : Integer.parseInt(parts[1])));
    }
  }

  /** Dies here if this point was chosen. */
  public void reach() {
    if (PLAN.point == this && PLAN.left.decrementAndGet() == 0) {
      LOG.log(Level.WARNING, "dying at crash point {0}", this);
      Runtime.getRuntime().halt(EXIT_CODE);
    }
  }
}
