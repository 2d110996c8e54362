package io.drayage.receive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.receive.AdmissionQueue.Party;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Senders that wait for a place, and the answers they get, by the clock of the test. */
class ReceiverQuotaTest {
  private static final int SIMULATED_S = 120;
  private static final Party W1 = new Party("w1", true);
  private static final Party W2 = new Party("w2", false);

  private long nowNs;

  private ReceiverQuota quota(int places) {
    return new ReceiverQuota(new ReceiverLimits(1 << 20, 1 << 20, places), () -> nowNs);
  }

  private void pass(Duration time) {
    nowNs += time.toNanos();
  }

  private static void assertBusy(
      ReceiverQuota quota, UUID transaction, Party party, String message) {
    assertThatExceptionOfType(ShipmentException.class)
        .isThrownBy(() -> quota.admit(transaction, party))
        .withMessage(message)
        .satisfies(e -> assertThat(e.fault()).isEqualTo(Fault.BUSY));
  }

  @Test
  void tellsWhoHasThePlacesAndWhoWaits() throws Exception {
    ReceiverQuota quota = quota(2);
    var first = quota.admit(new UUID(1, 1), W1);
    quota.admit(new UUID(1, 2), W1);
    assertBusy(
        quota,
        new UUID(2, 1),
        W1,
        "all 2 places are taken by 2 shipments of 'w1'; 1 shipment waits, the first for 0 s (ReceiverLimits.maxShipments)");
    pass(Duration.ofSeconds(3));
    assertBusy(
        quota,
        new UUID(2, 2),
        W2,
        "all 2 places are taken by 2 shipments of 'w1'; 2 shipments wait, the first for 3 s (ReceiverLimits.maxShipments)");

    first.release();

    assertBusy(
        quota,
        new UUID(2, 1),
        W1,
        "1 of 2 places are taken by 1 shipment of 'w1', and waiting shipments go first; 2 shipments wait, the first for 3 s (ReceiverLimits.maxShipments)");
    quota.admit(new UUID(2, 2), W2);
    assertBusy(
        quota,
        new UUID(2, 1),
        W1,
        "all 2 places are taken by 1 shipment of 'w1', 1 shipment of 'w2'; 1 shipment waits, the first for 3 s (ReceiverLimits.maxShipments)");
  }

  @Test
  void tellsWhoHasTheMemory() throws Exception {
    ReceiverQuota quota = quota(16);
    quota.admit(new UUID(1, 1), W1).acquireMemory(1_000_000);
    var waiting = quota.admit(new UUID(1, 2), W2);

    assertThatExceptionOfType(ShipmentException.class)
        .isThrownBy(() -> waiting.acquireMemory(100_000))
        .withMessage(
            "no room for 100,000 bytes now: 1,000,000 of 1,048,576 are taken by 1 shipment of 'w1'; 1 shipment waits, the first for 0 s (ReceiverLimits.maxReceivingBytes)");
  }

  @Test
  void tellsThatMoreWaitThanMay() throws Exception {
    ReceiverQuota quota = quota(1);
    quota.admit(new UUID(1, 1), W1);
    for (int i = 0; i < AdmissionQueue.MAX_WAITING; i++) {
      UUID waiting = new UUID(2, i);
      assertThatExceptionOfType(ShipmentException.class).isThrownBy(() -> quota.admit(waiting, W1));
    }
    assertBusy(
        quota,
        new UUID(3, 3),
        W2,
        "the only place is taken by 1 shipment of 'w1'; 1,024 shipments wait, the first for 0 s; no more may wait, so this one has no place (ReceiverLimits.maxShipments)");
    assertThat(quota.waiting()).hasSize(AdmissionQueue.MAX_WAITING);
  }

  @Test
  void showsWhoWaitsUntilItIsAdmittedOrDoesNotAskAnyMore() throws Exception {
    ReceiverQuota quota = quota(1);
    var first = quota.admit(new UUID(1, 1), W1);
    assertBusyOf(quota, new UUID(2, 1), W1);
    pass(Duration.ofSeconds(1));
    assertBusyOf(quota, new UUID(2, 2), W2);

    assertThat(quota.waiting())
        .containsExactly(
            new ShipmentProgress(new UUID(2, 1), "w1", 0, Duration.ofSeconds(1), true),
            new ShipmentProgress(new UUID(2, 2), "w2", 0, Duration.ZERO, true));

    first.release();
    quota.admit(new UUID(2, 2), W2);
    assertThat(quota.waiting()).extracting(ShipmentProgress::worker).containsExactly("w1");
    pass(AdmissionQueue.FORGOTTEN_AFTER);
    assertThat(quota.waiting()).isEmpty();
  }

  private static void assertBusyOf(ReceiverQuota quota, UUID transaction, Party party) {
    assertThatExceptionOfType(ShipmentException.class)
        .isThrownBy(() -> quota.admit(transaction, party));
  }

  /**
   * Senders of fragments that ask again after up to 250 ms, and small ordinary commits of another
   * worker. Some senders give up now and then, and leave their reserved place.
   */
  @ParameterizedTest
  @CsvSource({
    // senders, places, seconds in the store, one in this many gives up
    "8, 2, 3, 0",
    "32, 8, 4, 0",
    "16, 4, 2, 100",
  })
  void placesAreUsedHoweverManyWait(int senders, int places, int seconds, int givesUp)
      throws Exception {
    Model model = new Model(quota(places), senders, seconds, givesUp);

    model.run(Duration.ofSeconds(SIMULATED_S));

    int possible = SIMULATED_S * places / seconds;
    assertThat(model.done).as("fragments of %d", possible).isGreaterThan(possible * 9 / 10);
    assertThat(model.longest)
        .as("wait of a fragment")
        .isLessThan(Duration.ofSeconds(2L * senders / places * seconds));
    assertThat(model.commits).as("small commits").isGreaterThan(SIMULATED_S / (2 * seconds + 1));
    assertThat(model.longestOfCommits)
        .as("wait of a small commit")
        .isLessThan(Duration.ofSeconds(2L * seconds));
  }

  /** Moves the clock of the test. */
  private final class Model {
    private static final long STEP_MS = 10;

    final List<Sender> senders = new ArrayList<>();
    final ReceiverQuota quota;
    final Random random = new Random(1);
    final int seconds;
    final int givesUp;
    int done;
    int commits;
    Duration longest = Duration.ZERO;
    Duration longestOfCommits = Duration.ZERO;

    Model(ReceiverQuota quota, int senders, int seconds, int givesUp) {
      this.quota = quota;
      this.seconds = seconds;
      this.givesUp = givesUp;
      for (int i = 0; i < senders; i++) {
        this.senders.add(new Sender(W1));
      }
      this.senders.add(new Sender(W2));
    }

    void run(Duration time) {
      for (long ms = 0; ms < time.toMillis(); ms += STEP_MS) {
        for (Sender sender : senders) {
          sender.step(ms);
        }
        pass(Duration.ofMillis(STEP_MS));
      }
    }

    private final class Sender {
      final Party party;
      UUID id = new UUID(random.nextLong(), 1);
      ReceiverQuota.ShipmentQuota admitted;
      long sinceMs;
      long nextMs = random.nextInt(2_000);

      Sender(Party party) {
        this.party = party;
        sinceMs = nextMs;
      }

      void step(long ms) {
        if (ms < nextMs) {
          return;
        }
        if (admitted != null) {
          admitted.release();
          admitted = null;
          next(ms + 50 + random.nextInt(200));
          return;
        }
        try {
          admitted = quota.admit(id, party);
          admitted(Duration.ofMillis(ms - sinceMs));
          nextMs = ms + (party.equals(W2) ? 50 : seconds * 1_000L);
        } catch (ShipmentException e) {
          nextMs = ms + 125 + random.nextInt(125);
          if (givesUp > 0 && party.equals(W1) && random.nextInt(givesUp * 50) == 0) {
            next(nextMs);
          }
        }
      }

      private void admitted(Duration waited) {
        if (party.equals(W1)) {
          done++;
          longest = max(longest, waited);
        } else {
          commits++;
          longestOfCommits = max(longestOfCommits, waited);
        }
      }

      private void next(long atMs) {
        id = new UUID(random.nextLong(), 1);
        nextMs = atMs;
        sinceMs = atMs;
      }

      private Duration max(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? b : a;
      }
    }
  }
}
