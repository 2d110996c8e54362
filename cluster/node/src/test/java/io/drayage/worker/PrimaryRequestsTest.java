package io.drayage.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.drayage.coordination.InMemoryCluster;
import io.drayage.coordination.InMemoryCoordination;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentException.Outcome;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The deadlines of requests to primaries. */
class PrimaryRequestsTest {
  private static final Duration PATIENCE = Duration.ofMillis(5);
  private static final Duration LONGEST_WAIT = Duration.ofMillis(200);

  private final AtomicInteger attempts = new AtomicInteger();
  private InMemoryCoordination coordination;
  private PrimarySender sender;
  private PrimaryRequests requests;

  @BeforeEach
  void open() throws Exception {
    coordination = new InMemoryCoordination(new InMemoryCluster());
    sender =
        new PrimarySender(
            coordination,
            address -> {
              throw new AssertionError("nobody is primary");
            });
    requests = new PrimaryRequests(sender, PATIENCE, LONGEST_WAIT);
  }

  @AfterEach
  void close() {
    sender.close();
    coordination.close();
  }

  @Test
  void asksTheNextPrimaryIfOneIsLostThatHasWorkedForLonger() throws Exception {
    String answer =
        requests.untilAnswered(
            "a commit",
            () -> {
              if (attempts.incrementAndGet() == 1) {
                outlastPatience();
                throw lost(Fault.PEER_GONE).withOutcome(Outcome.UNKNOWN);
              }
              return "committed";
            });

    assertThat(answer).isEqualTo("committed");
  }

  @Test
  void doesNotAskForEverWhereNobodyIsHeard() {
    for (Fault silence : new Fault[] {Fault.PEER_SILENT, Fault.PEER_GONE}) {
      attempts.set(0);
      Outcome outcome = silence == Fault.PEER_SILENT ? Outcome.UNKNOWN : Outcome.NOT_APPLIED;
      assertThatExceptionOfType(ShipmentException.class)
          .isThrownBy(
              () ->
                  requests.untilAnswered(
                      "a commit",
                      () -> {
                        attempts.incrementAndGet();
                        outlastPatience();
                        throw lost(silence).withOutcome(outcome);
                      }))
          .withMessageContaining("a commit got no answer in 1 attempts")
          .satisfies(e -> assertThat(e.outcome()).isEqualTo(outcome));
    }
  }

  @Test
  void whoIsToldToWaitIsNotImpatient() throws Exception {
    String answer =
        requests.untilAnswered(
            "a commit",
            () -> {
              if (attempts.incrementAndGet() < 4) {
                outlastPatience();
                throw new ShipmentException(Fault.BUSY, "all 2 places are taken");
              }
              return "committed";
            });

    assertThat(answer).isEqualTo("committed");
  }

  @Test
  void waitsNoLongerThanItMayAndNamesTheCause() {
    assertThatExceptionOfType(ShipmentException.class)
        .isThrownBy(
            () ->
                requests.untilAnswered(
                    "a commit",
                    () -> {
                      attempts.incrementAndGet();
                      throw new ShipmentException(Fault.BUSY, "all 2 places are taken");
                    }))
        .withMessageMatching("a commit waited for 0 s, in \\d+ attempts: all 2 places are taken")
        .satisfies(e -> assertThat(e.fault()).isEqualTo(Fault.BUSY))
        .satisfies(e -> assertThat(e.outcome()).isEqualTo(Outcome.NOT_APPLIED));
    assertThat(attempts).as("attempts").hasValueGreaterThan(1);
  }

  /** The requests would never end if each deadline began anew after the other. */
  @Test
  void endsWhereSilenceAndWaitingTakeTurns() {
    assertThatExceptionOfType(ShipmentException.class)
        .isThrownBy(
            () ->
                requests.untilAnswered(
                    "a commit",
                    () -> {
                      boolean isBusy = attempts.incrementAndGet() % 2 == 0;
                      throw isBusy
                          ? new ShipmentException(Fault.BUSY, "all 2 places are taken")
                          : lost(Fault.PEER_GONE);
                    }))
        .withMessageContaining("a commit ");
  }

  @Test
  void whatIsLostIsAskedForAgainWithPausesAndNotWithoutEnd() {
    assertThatExceptionOfType(ShipmentException.class)
        .isThrownBy(
            () ->
                requests.untilCommitted(
                    new UUID(1, 1), attempts::incrementAndGet, answer -> "as snapshot 7"))
        .withMessageContaining("acknowledged, the last time as snapshot 7, and lost each of")
        .satisfies(e -> assertThat(e.outcome()).isEqualTo(Outcome.UNKNOWN));
    assertThat(attempts.get()).as("pauses double from 20 ms on").isBetween(1, 10);
  }

  private static ShipmentException lost(Fault fault) {
    return new ShipmentException(fault, "it is gone");
  }

  private static void outlastPatience() {
    long endNs = System.nanoTime() + PATIENCE.toNanos();
    while (System.nanoTime() <= endNs) {
      Thread.onSpinWait();
    }
  }
}
