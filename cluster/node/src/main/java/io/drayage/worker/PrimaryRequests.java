package io.drayage.worker;

import static io.drayage.internal.Texts.format;

import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentException.Outcome;
import io.drayage.transport.Backoff;
import java.io.IOException;
import java.time.Duration;

/**
 * Asks the current primary, whichever that is, until it answers. Thread-safe.
 *
 * <p>Patience is for primaries that are not there: a primary that has worked on a request for
 * longer, and is lost then, has the next one asked for as long again.
 */
final class PrimaryRequests {
  private static final Duration LONGEST_PAUSE = Duration.ofMillis(500);

  /** What was silent for less may never have been heard. */
  private static final Duration LONGEST_SILENCE = Duration.ofSeconds(30);

  private final PrimarySender sender;
  private final Duration patience;

  /** One attempt. */
  @FunctionalInterface
  interface Attempt<T> {
    T run() throws IOException, InterruptedException;
  }

  /**
   * @param sender stays the caller's
   * @param patience how long to go on while no primary answers
   */
  PrimaryRequests(PrimarySender sender, Duration patience) {
    this.sender = sender;
    this.patience = patience;
  }

  /**
   * Attempts until there is an answer.
   *
   * @param what is asked, for messages
   * @throws ShipmentException the answer, if it is one; with the outcome of all attempts together
   */
  <T> T untilAnswered(String what, Attempt<T> attempt) throws IOException, InterruptedException {
    Backoff backoff = new Backoff(patience, LONGEST_PAUSE);
    boolean uncertain = false;
    int attempts = 0;
    while (true) {
      IOException failure;
      Fault fault = Fault.PEER_GONE;
      attempts++;
      long beganNs = System.nanoTime();
      try {
        return attempt.run();
      } catch (ShipmentException e) {
        uncertain |= e.outcome() == Outcome.UNKNOWN;
        if (!e.fault().isTransient()) {
          throw uncertain && !e.fault().isVerdict() ? e.withOutcome(Outcome.UNKNOWN) : e;
        }
        failure = e;
        fault = e.fault();
      } catch (IOException e) {
        failure = e;
      }
      if (hasWorked(failure, Duration.ofNanos(System.nanoTime() - beganNs))) {
        backoff = new Backoff(patience, LONGEST_PAUSE);
      }
      if (!pause(backoff, fault)) {
        throw new ShipmentException(
                fault,
                format(
                    "%s got no answer in %d attempts within %,d s: %s",
                    what, attempts, patience.toSeconds(), failure.getMessage()),
                failure)
            .withOutcome(uncertain ? Outcome.UNKNOWN : Outcome.NOT_APPLIED);
      }
    }
  }

  /** Whether a primary had the request for longer than the patience lasts. */
  private boolean hasWorked(IOException failure, Duration lasted) {
    return failure instanceof ShipmentException told
        && told.outcome() == Outcome.UNKNOWN
        && lasted.compareTo(patience) > 0
        && (told.fault() != Fault.PEER_SILENT || lasted.compareTo(LONGEST_SILENCE) > 0);
  }

  /** Until the next attempt, which follows at once if another primary is elected. */
  private boolean pause(Backoff backoff, Fault fault) throws InterruptedException {
    if (fault == Fault.BUSY) {
      return backoff.pause();
    }
    long pauseMs = backoff.nextMs();
    if (pauseMs < 0) {
      return false;
    }
    boolean unused = sender.awaitOther(pauseMs);
    return true;
  }
}
