package io.drayage.worker;

import static io.drayage.internal.Texts.format;

import io.drayage.database.ForeignDatabaseException;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentException.Outcome;
import io.drayage.transport.Backoff;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Asks the current primary, whichever that is, until it answers. Thread-safe.
 *
 * <p>Patience is for primaries that are not there: a primary that has worked on a request for
 * longer, and is lost then, has the next one asked for as long again. A primary that answers {@code
 * BUSY} is there: what asks it waits, and has another deadline for that. Time counts against one of
 * the two. An answer that was lost, as one that says {@code applied} may be, has a third.
 */
final class PrimaryRequests {
  private static final System.Logger LOG = System.getLogger(PrimaryRequests.class.getName());

  private static final Duration LONGEST_PAUSE = Duration.ofMillis(500);

  /** Where it waits, so that freed capacity is used soon. */
  private static final Duration LONGEST_PAUSE_WHEN_BUSY = Duration.ofMillis(250);

  /** What was silent for less may never have been heard. */
  private static final Duration LONGEST_SILENCE = Duration.ofSeconds(30);

  /** Then it looks again who is primary. */
  private static final Duration LONGEST_WAIT_OF_AN_ATTEMPT = Duration.ofSeconds(5);

  private final PrimarySender sender;
  private final Duration patience;
  private final Duration longestWait;

  /** One attempt. */
  @FunctionalInterface
  interface Attempt<T> {
    T run() throws IOException, InterruptedException;
  }

  /** Tells what an answer is worth. */
  @FunctionalInterface
  interface Check<T> {
    /** How the answer reads if it was lost since, so that another attempt is due; else null. */
    @Nullable String lost(T answer) throws IOException, InterruptedException;
  }

  /**
   * @param sender stays the caller's
   * @param patience how long to go on while no primary answers
   * @param longestWait how long to go on while primaries answer {@code BUSY}
   */
  PrimaryRequests(PrimarySender sender, Duration patience, Duration longestWait) {
    this.sender = sender;
    this.patience = patience;
    this.longestWait = longestWait;
  }

  /** How long one attempt may wait to be admitted. */
  Duration waitOfAnAttempt() {
    return longestWait.compareTo(LONGEST_WAIT_OF_AN_ATTEMPT) < 0
        ? longestWait
        : LONGEST_WAIT_OF_AN_ATTEMPT;
  }

  /**
   * Attempts until there is an answer.
   *
   * @param what is asked, for messages
   * @throws ShipmentException the answer, if it is one; with the outcome of all attempts together
   * @throws ForeignDatabaseException if an attempt does
   */
  <T> T untilAnswered(String what, Attempt<T> attempt) throws IOException, InterruptedException {
    return new Request<>(what, attempt, answer -> null).run();
  }

  /**
   * Attempts to commit a transaction until there is an answer that is not lost.
   *
   * @throws ShipmentException as {@link #untilAnswered}; also {@code CANCELLED}, with the interrupt
   *     status set, if the thread was interrupted after the transaction may have taken effect
   * @throws IOException also if {@code check} does
   */
  <T> T untilCommitted(UUID transaction, Attempt<T> attempt, Check<T> check)
      throws IOException, InterruptedException {
    Request<T> request = new Request<>("transaction " + transaction, attempt, check);
    try {
      return request.run();
    } catch (ShipmentException e) {
      throw request.settled(e);
    } catch (InterruptedException e) {
      if (!request.uncertain) {
        throw e;
      }
      Thread.currentThread().interrupt();
      throw request.settled(
          new ShipmentException(
              Fault.CANCELLED,
              "interrupted while transaction %s was committed: it may take effect"
                  .formatted(transaction),
              e));
    }
  }

  /** All attempts at one request. Not thread-safe. */
  private final class Request<T> {
    private final String what;
    private final Attempt<T> attempt;
    private final Check<T> check;
    private final Backoff lost = new Backoff(patience);
    private Backoff unanswered = new Backoff(patience, LONGEST_PAUSE);
    private Backoff waiting = new Backoff(longestWait, LONGEST_PAUSE_WHEN_BUSY);
    private int attempts;

    /** Whether an attempt may have taken effect. */
    private boolean uncertain;

    Request(String what, Attempt<T> attempt, Check<T> check) {
      this.what = what;
      this.attempt = attempt;
      this.check = check;
    }

    /** The last attempt's end, with the outcome of all. */
    ShipmentException settled(ShipmentException last) {
      return uncertain && !last.fault().isVerdict() ? last.withOutcome(Outcome.UNKNOWN) : last;
    }

    T run() throws IOException, InterruptedException {
      while (true) {
        long beganNs = System.nanoTime();
        T answer = attempt(beganNs);
        lost.exclude(System.nanoTime() - beganNs); // It has deadlines of its own.
        if (answer != null) {
          uncertain = true; // Until it is checked, it may be lost.
          String how = check.lost(answer);
          if (how == null) {
            return answer;
          }
          if (!lost.pause()) {
            throw new ShipmentException(
                Fault.CANCELLED,
                format(
                    "%s was acknowledged, the last time %s, and lost each of %d times within %,d s",
                    what, how, attempts, patience.toSeconds()));
          }
          unanswered = new Backoff(patience, LONGEST_PAUSE);
          waiting = new Backoff(longestWait, LONGEST_PAUSE_WHEN_BUSY);
        }
      }
    }

    /** The answer; null behind the pause before another attempt. */
    private @Nullable T attempt(long beganNs) throws IOException, InterruptedException {
      IOException failure;
      Fault fault = Fault.PEER_GONE;
      attempts++;
      try {
        return attempt.run();
      } catch (ShipmentException e) {
        uncertain |= e.outcome() == Outcome.UNKNOWN;
        if (!e.fault().isTransient()) {
          throw settled(e);
        }
        failure = e;
        fault = e.fault();
      } catch (ForeignDatabaseException e) {
        throw e;
      } catch (IOException e) {
        failure = e;
      }
      LOG.log(Level.DEBUG, "{0}, attempt {1}: {2}", what, attempts, failure.getMessage());
      if (hasWorked(failure, Duration.ofNanos(System.nanoTime() - beganNs))) {
        unanswered = new Backoff(patience, LONGEST_PAUSE);
      }
      boolean isBusy = fault == Fault.BUSY;
      if (isBusy ? !waiting.pause() : !pause(unanswered)) {
        String end =
            isBusy
                ? format("waited for %,d s, in %d attempts", longestWait.toSeconds(), attempts)
                : format(
                    "got no answer in %d attempts within %,d s", attempts, patience.toSeconds());
        throw new ShipmentException(fault, what + " " + end + ": " + failure.getMessage(), failure)
            .withOutcome(uncertain ? Outcome.UNKNOWN : Outcome.NOT_APPLIED);
      }
      (isBusy ? unanswered : waiting).exclude(System.nanoTime() - beganNs);
      return null;
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
  private boolean pause(Backoff backoff) throws InterruptedException {
    long pauseMs = backoff.nextMs();
    if (pauseMs < 0) {
      return false;
    }
    if (sender.awaitOther(pauseMs)) {
      backoff.startOver();
    }
    return true;
  }
}
