package io.drayage.send;

import io.drayage.frame.CommitOptions;
import java.time.Duration;

/**
 * How a cargo is sent. A record of {@link #DEFAULT} and what is changed of it.
 *
 * @param commit how it is committed
 * @param deadline how long the call may take in all; at its end the shipment is cancelled. It is
 *     exceeded by a second at most, and by what an uninterruptible step takes
 * @param patience how much of that may pass before the transactor takes the shipment: while it, or
 *     this client, has no room, and between attempts
 * @param whenSent run when all of the cargo has been handed to the wire, or a connection was lost
 *     before that; once for each connection, on any thread. It must neither wait nor throw.
 *     Pipelines other than that of segments do not run it
 */
public record SendOptions(
    CommitOptions commit, Duration deadline, Duration patience, Runnable whenSent) {
  /** So long that nothing is cut off that gets on, and that no call hangs for ever. */
  public static final Duration DEFAULT_DEADLINE = Duration.ofHours(1);

  /** 100 years: for callers that watch the call themselves. */
  public static final Duration NO_DEADLINE = Duration.ofDays(36_500);

  /** {@link CommitOptions#DEFAULT} within {@link #DEFAULT_DEADLINE}, all of which may be waited. */
  public static final SendOptions DEFAULT = of(CommitOptions.DEFAULT);

  /**
   * @throws IllegalArgumentException if a time is negative, or longer than {@link #NO_DEADLINE}
   */
  public SendOptions {
    require("deadline", deadline);
    require("patience", patience);
  }

  /** Without anything to run when it is sent. */
  public SendOptions(CommitOptions commit, Duration deadline, Duration patience) {
    this(commit, deadline, patience, () -> {});
  }

  private static void require(String name, Duration time) {
    if (time.isNegative() || time.compareTo(NO_DEADLINE) > 0) {
      throw new IllegalArgumentException(
          "the %s must be 0 to %s, not %s".formatted(name, NO_DEADLINE, time));
    }
  }

  /** The default deadline with these options of the commit. */
  public static SendOptions of(CommitOptions commit) {
    return new SendOptions(commit, DEFAULT_DEADLINE, DEFAULT_DEADLINE);
  }

  /** The same within another deadline, all of which may be waited. */
  public SendOptions within(Duration time) {
    return new SendOptions(commit, time, time, whenSent);
  }

  /** The same with another patience. */
  public SendOptions withPatience(Duration time) {
    return new SendOptions(commit, deadline, time, whenSent);
  }
}
