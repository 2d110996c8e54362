package io.drayage.send;

import io.drayage.frame.CommitOptions;
import java.time.Duration;

/**
 * Options of sending a cargo. Change a copy of {@link #DEFAULT}.
 *
 * @param commit options of the commit
 * @param deadline time limit of the call; at its end the shipment is cancelled. The call exceeds it
 *     by a second at most, and by the time of an uninterruptible step
 * @param patience the part of the deadline that may pass before the transactor accepts the
 *     shipment: waits for room on the transactor or in this client, and pauses between attempts
 * @param whenSent run when the whole cargo has been handed to the wire, or a connection was lost
 *     before that; once for each connection, on any thread. It must neither wait nor throw. Only
 *     the pipeline of segments runs it
 */
public record SendOptions(
    CommitOptions commit, Duration deadline, Duration patience, Runnable whenSent) {
  /** The default: long enough for every call that progresses, but no call hangs forever. */
  public static final Duration DEFAULT_DEADLINE = Duration.ofHours(1);

  /** 100 years: for callers that have a timeout of their own. */
  public static final Duration NO_DEADLINE = Duration.ofDays(36_500);

  /** {@link CommitOptions#DEFAULT}, with patience for all of {@link #DEFAULT_DEADLINE}. */
  public static final SendOptions DEFAULT = of(CommitOptions.DEFAULT);

  /**
   * @throws IllegalArgumentException if a time is negative, or longer than {@link #NO_DEADLINE}
   */
  public SendOptions {
    require("deadline", deadline);
    require("patience", patience);
  }

  /** Creates options without {@code whenSent}. */
  public SendOptions(CommitOptions commit, Duration deadline, Duration patience) {
    this(commit, deadline, patience, () -> {});
  }

  private static void require(String name, Duration time) {
    if (time.isNegative() || time.compareTo(NO_DEADLINE) > 0) {
      throw new IllegalArgumentException(
          "the %s must be 0 to %s, not %s".formatted(name, NO_DEADLINE, time));
    }
  }

  /** Returns the default deadline with these options of the commit. */
  public static SendOptions of(CommitOptions commit) {
    return new SendOptions(commit, DEFAULT_DEADLINE, DEFAULT_DEADLINE);
  }

  /** Returns these options with another deadline, and patience for all of that time. */
  public SendOptions within(Duration time) {
    return new SendOptions(commit, time, time, whenSent);
  }

  /** Returns these options with another patience. */
  public SendOptions withPatience(Duration time) {
    return new SendOptions(commit, deadline, time, whenSent);
  }
}
