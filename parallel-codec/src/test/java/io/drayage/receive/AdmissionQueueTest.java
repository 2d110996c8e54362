package io.drayage.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.receive.AdmissionQueue.Party;
import io.drayage.receive.AdmissionQueue.Waiter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class AdmissionQueueTest {
  private static final UUID LARGE = new UUID(1, 1);
  private static final UUID SMALL = new UUID(1, 2);
  private static final UUID OTHER = new UUID(1, 3);
  private static final Party WORKER = new Party("worker", false);
  private static final Party BUSY = new Party("busy", false);
  private static final Party WAITING = new Party("waiting", false);

  /** The pause between two attempts of a worker. */
  private static final Duration PAUSE = Duration.ofMillis(250);

  private long nowNs = Long.MAX_VALUE - 1_000_000_000;
  private final Set<Party> holding = new HashSet<>();
  private final AdmissionQueue line = new AdmissionQueue(() -> nowNs, () -> holding);

  private void pass(Duration time) {
    nowNs += time.toNanos();
  }

  /** Lets time pass, in which all waiting senders ask again and again. */
  private void passAsking(Duration time) {
    for (long leftNs = time.toNanos(); leftNs > 0; leftNs -= PAUSE.toNanos()) {
      pass(Duration.ofNanos(Math.min(leftNs, PAUSE.toNanos())));
      for (Waiter waiter : line.waiting()) {
        assertThat(doesNotFit(waiter.transactionId(), waiter.party())).isTrue();
      }
    }
  }

  private boolean fits(UUID transaction) {
    return fits(transaction, WORKER);
  }

  private boolean doesNotFit(UUID transaction) {
    return doesNotFit(transaction, WORKER);
  }

  private boolean fits(UUID transaction, Party party) {
    return line.admits(transaction, party, 1, () -> true);
  }

  private boolean doesNotFit(UUID transaction, Party party) {
    return !line.admits(transaction, party, 1, () -> false);
  }

  @Test
  void letsOthersPassForAWhile() {
    assertThat(doesNotFit(LARGE)).isTrue();

    assertThat(fits(SMALL)).isTrue();
    passAsking(AdmissionQueue.PATIENCE);
    assertThat(fits(SMALL)).isTrue();
  }

  @Test
  void letsAWorkerThatHasNothingGoBeforeOneThatHas() {
    holding.add(BUSY);

    assertThat(fits(OTHER, BUSY)).isTrue();
    assertThat(doesNotFit(LARGE, WAITING)).isTrue();
    assertThat(fits(OTHER, BUSY)).isFalse();
    assertThat(fits(LARGE, WAITING)).isTrue();
    assertThat(fits(OTHER, BUSY)).isTrue();
  }

  @Test
  void letsNobodyWaitForAWorkerThatIsGone() {
    holding.add(BUSY);
    assertThat(doesNotFit(LARGE, WAITING)).isTrue();
    pass(AdmissionQueue.FORGOTTEN_AFTER.plusNanos(1));

    assertThat(fits(OTHER, BUSY)).isTrue();
  }

  @Test
  void letsNobodyPassATransactionThatHasWaitedLongEnough() {
    assertThat(doesNotFit(LARGE)).isTrue();
    passAsking(AdmissionQueue.PATIENCE.plusNanos(1));

    assertThat(fits(SMALL)).isFalse();
    assertThat(doesNotFit(LARGE)).isTrue();
    assertThat(fits(SMALL)).isFalse();
    assertThat(fits(LARGE)).isTrue();
    assertThat(fits(SMALL)).isTrue();
  }

  @Test
  void servesThoseWhoWaitInTheOrderInWhichTheyCame() {
    assertThat(doesNotFit(LARGE)).isTrue();
    pass(Duration.ofMillis(1));
    assertThat(doesNotFit(SMALL)).isTrue();
    passAsking(AdmissionQueue.PATIENCE);
    assertThat(doesNotFit(SMALL)).isTrue();
    pass(Duration.ofMillis(1));

    assertThat(fits(OTHER)).isFalse();
    assertThat(fits(SMALL)).isFalse();
    assertThat(fits(LARGE)).isTrue();
    assertThat(fits(OTHER)).isFalse();
    assertThat(fits(SMALL)).isTrue();
    assertThat(fits(OTHER)).isTrue();
  }

  @Test
  void forgetsATransactionThatDoesNotComeBack() {
    assertThat(doesNotFit(LARGE)).isTrue();
    pass(AdmissionQueue.FORGOTTEN_AFTER.plusNanos(1));

    assertThat(fits(SMALL)).isTrue();
  }

  /** The senders may have ended one after the other, and each of them would reserve a place. */
  @Test
  void keepsNoPlaceFreeForATransactionThatHasNotAskedForAWhile() {
    assertThat(doesNotFit(LARGE)).isTrue();
    passAsking(AdmissionQueue.PATIENCE.plusNanos(1));
    assertThat(fits(SMALL)).isFalse();
    pass(AdmissionQueue.ABSENT_AFTER.plusNanos(1));

    assertThat(fits(OTHER)).isTrue();
    assertThat(doesNotFit(LARGE)).isTrue();
    assertThat(fits(SMALL)).as("once it asks again").isFalse();
  }

  @Test
  void isBounded() {
    for (int i = 0; i < 2 * AdmissionQueue.MAX_WAITING; i++) {
      assertThat(doesNotFit(new UUID(2, i))).isTrue();
    }
    passAsking(AdmissionQueue.PATIENCE.plusNanos(1));
    for (int i = 0; i < AdmissionQueue.MAX_WAITING; i++) {
      assertThat(fits(new UUID(2, i))).isTrue();
    }

    assertThat(fits(SMALL)).isTrue();
  }

  @Test
  void partiesTakeTurns() {
    Party many = new Party("many", true);
    Party few = new Party("few", true);
    holding.addAll(Set.of(many, few));
    List<UUID> waiting = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      waiting.add(new UUID(3, i));
      assertThat(doesNotFit(waiting.get(i), many)).isTrue();
    }
    for (int i = 0; i < 2; i++) {
      waiting.add(new UUID(4, i));
      assertThat(doesNotFit(waiting.get(4 + i), few)).isTrue();
    }
    passAsking(AdmissionQueue.PATIENCE.plusNanos(1));

    List<UUID> admitted = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      Optional<UUID> next =
          waiting.stream()
              .filter(id -> !admitted.contains(id))
              .filter(id -> fits(id, waiting.indexOf(id) < 4 ? many : few))
              .findFirst();
      admitted.add(next.orElseThrow());
    }

    assertThat(admitted.stream().map(waiting::indexOf)).containsExactly(0, 4, 1, 5, 2, 3);
  }

  @Test
  void whoHoldsNothingGoesBeforeOneThatHasAlsoWhereThatOneHasWaitedLongerButOnlyOnce() {
    holding.add(BUSY);
    assertThat(doesNotFit(LARGE, BUSY)).isTrue();
    passAsking(AdmissionQueue.PATIENCE.plusNanos(1));
    assertThat(doesNotFit(SMALL, WAITING)).isTrue();

    assertThat(fits(LARGE, BUSY)).isFalse();
    assertThat(fits(SMALL, WAITING)).isTrue();
    assertThat(fits(SMALL, WAITING)).as("again").isFalse();
    assertThat(fits(LARGE, BUSY)).isTrue();
  }

  /** New senders hold nothing; the large one must not wait for all of them. */
  @Test
  void isNotStarvedByEverNewParties() {
    holding.add(BUSY);
    assertThat(doesNotFit(SMALL, BUSY)).isTrue();
    assertThat(doesNotFit(LARGE, BUSY)).isTrue();
    int before = 0;
    while (!fits(LARGE, BUSY) && before < 100) {
      passAsking(Duration.ofSeconds(3));
      UUID next = new UUID(6, before);
      assertThat(doesNotFit(SMALL, BUSY)).isTrue();
      before += fits(next, new Party("new " + before, false)) ? 1 : 0;
      if (fits(SMALL, BUSY)) {
        assertThat(doesNotFit(SMALL, BUSY)).isTrue();
      }
    }
    assertThat(before).isLessThan(10);
  }

  @Test
  void asManyOfTheFirstAreAdmittedAsThereArePlaces() {
    for (UUID id : List.of(LARGE, SMALL, OTHER)) {
      assertThat(doesNotFit(id)).isTrue();
    }
    passAsking(AdmissionQueue.PATIENCE.plusNanos(1));

    assertThat(line.admits(OTHER, WORKER, 2, () -> true)).as("the third, with 2 free").isFalse();
    assertThat(line.admits(SMALL, WORKER, 2, () -> true)).as("the second, with 2 free").isTrue();
  }

  @Test
  void aWorkersCommitTakesTurnsWithItsFragments() {
    Party fragments = new Party("worker", true);
    holding.add(fragments);
    assertThat(doesNotFit(LARGE, fragments)).isTrue();
    assertThat(doesNotFit(OTHER, fragments)).isTrue();
    assertThat(doesNotFit(SMALL, WORKER)).isTrue();
    passAsking(AdmissionQueue.PATIENCE.plusNanos(1));

    assertThat(fits(OTHER, fragments)).isFalse();
    assertThat(fits(LARGE, fragments)).isFalse();
    assertThat(fits(SMALL, WORKER)).isTrue();
  }
}
