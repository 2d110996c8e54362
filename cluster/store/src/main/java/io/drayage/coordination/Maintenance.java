package io.drayage.coordination;

import io.drayage.cargo.Names;
import java.time.Instant;

/**
 * Whether the cluster is in maintenance: then its primary accepts no new cargoes, whichever node it
 * is, and everything else goes on.
 *
 * @param change the number of this change; a later one has a higher number
 * @param isOn whether it is
 * @param since when it was changed, by the clock of whoever did
 * @param reason for those who are refused: 1 to 200 characters in one line
 */
public record Maintenance(long change, boolean isOn, Instant since, String reason) {
  private static final int MAX_REASON_CHARS = 200;

  /** Before the first change. */
  public static final Maintenance NEVER = new Maintenance(0, false, Instant.EPOCH, "-");

  /**
   * @throws IllegalArgumentException if the reason is none
   */
  public Maintenance {
    if (reason.isEmpty() || reason.length() > MAX_REASON_CHARS || !Names.isPrintable(reason)) {
      throw new IllegalArgumentException(
          "a reason has 1 to 200 characters in one line, not '%s'"
              .formatted(Names.printable(reason)));
    }
  }

  /** The next change, made now. */
  public Maintenance next(boolean on, String why) {
    return new Maintenance(change + 1, on, Instant.now(), why);
  }

  /** As messages show it. */
  @Override
  public String toString() {
    return "%s since %s: %s".formatted(isOn ? "in maintenance" : "in service", since, reason);
  }
}
