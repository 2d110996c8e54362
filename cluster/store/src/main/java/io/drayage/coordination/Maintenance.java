package io.drayage.coordination;

import io.drayage.cargo.Names;
import java.time.Instant;

/**
 * The state of maintenance of the cluster. During maintenance the primary, whichever node it is,
 * accepts no new cargoes; everything else goes on.
 *
 * @param change the number of this change; a later one has a higher number
 * @param isOn whether the cluster is in maintenance
 * @param since the time of the change, by the clock of the node that made it
 * @param reason for workers whose cargoes are refused: 1 to 200 characters in one line
 */
public record Maintenance(long change, boolean isOn, Instant since, String reason) {
  private static final int MAX_REASON_CHARS = 200;

  /** The state before the first change. */
  public static final Maintenance NEVER = new Maintenance(0, false, Instant.EPOCH, "-");

  /**
   * @throws IllegalArgumentException if the reason is not valid
   */
  public Maintenance {
    if (reason.isEmpty() || reason.length() > MAX_REASON_CHARS || !Names.isPrintable(reason)) {
      throw new IllegalArgumentException(
          "a reason has 1 to 200 characters in one line, not '%s'"
              .formatted(Names.printable(reason)));
    }
  }

  /** Returns the next change, made now. */
  public Maintenance next(boolean on, String why) {
    return new Maintenance(change + 1, on, Instant.now(), why);
  }

  /** The state as messages show it. */
  @Override
  public String toString() {
    return "%s since %s: %s".formatted(isOn ? "in maintenance" : "in service", since, reason);
  }
}
