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
 * Sends a request to the current primary until it is answered. Thread-safe.
 *
 * <p>Patience is for missing primaries. If a primary has worked on a request for longer than the
 * patience, and is then lost, the patience for the next primary begins anew. A primary that answers
 * {@code BUSY} is not missing: the request waits, with its own deadline. Time counts against one of
 * the two. A lost answer, such as {@code applied} may be, has a third deadline.
 *
 * @param sender owned by the caller
 * @param patience how long to retry while no primary answers
 * @param longestWait how long to retry while primaries answer {@code BUSY}
 */
record PrimaryRequests(PrimarySender sender, Duration patience, Duration longestWait) {
  private static final System.Logger LOG = System.getLogger(PrimaryRequests.class.getName());

  private static final Duration LONGEST_PAUSE = Duration.ofMillis(500);

  /** Short, so that freed capacity is used soon. */
  private static final Duration LONGEST_PAUSE_WHEN_BUSY = Duration.ofMillis(250);

  /** A primary that was silent for less may never have received the request. */
  private static final Duration LONGEST_SILENCE = Duration.ofSeconds(30);

  /** Time after which it looks again for the primary. */
  private static final Duration LONGEST_WAIT_OF_AN_ATTEMPT = Duration.ofSeconds(5);

  /** One attempt of a request. */
  interface Attempt<T> {
    T run() throws IOException, InterruptedException;
  }

  /** Checks whether an answer still holds. */
  interface Check<T> {
    /** Describes the answer if it was lost, so that another attempt is due; else null. */
    @Nullable String lost(T answer) throws IOException, InterruptedException;
  }

  /** Maximum time for which one attempt waits to be admitted. */
  Duration waitOfAnAttempt() {
    return longestWait.compareTo(LONGEST_WAIT_OF_AN_ATTEMPT) < 0
        ? longestWait
        : LONGEST_WAIT_OF_AN_ATTEMPT;
  }

  /**
   * Retries until there is an answer.
   *
   * @param what the request, for messages
   * @throws ShipmentException if that is the answer; with the outcome of all attempts together
   * @throws ForeignDatabaseException if an attempt does
   */
  <T> T untilAnswered(String what, Attempt<T> attempt) throws IOException, InterruptedException {
    return new Request<>(what, attempt, answer -> null).run();
  }

  /**
   * Retries to commit a transaction until there is an answer that is not lost.
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
      throw e.ofAllAttempts(request.uncertain);
    } catch (InterruptedException e) {
      if (!request.uncertain) {
        throw e;
      }
      Thread.currentThread().interrupt();
      throw new ShipmentException(
              Fault.CANCELLED,
              "interrupted while transaction %s was committed: it may take effect"
                  .formatted(transaction),
              e)
          .ofAllAttempts(true);
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

    T run() throws IOException, InterruptedException {
      while (true) {
        long beganNs = System.nanoTime();
        T answer = attempt(beganNs);
        lost.exclude(System.nanoTime() - beganNs); // The attempt has its own deadlines.
        if (answer != null) {
          uncertain = true; // The answer may be lost until it is checked.
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

    /** Runs an attempt; null after the pause before another attempt. */
    private @Nullable T attempt(long beganNs) throws IOException, InterruptedException {
      IOException failure;
      Fault fault = Fault.PEER_GONE;
      attempts++;
      try {
        return attempt.run();
      } catch (ShipmentException e) {
        uncertain |= e.outcome() == Outcome.UNKNOWN;
        if (!e.fault().isTransient()) {
          throw e.ofAllAttempts(uncertain);
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

  /** Waits for the next attempt, which follows at once if another primary is elected. */
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
