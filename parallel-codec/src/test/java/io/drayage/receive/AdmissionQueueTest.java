package io.drayage.receive;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class AdmissionQueueTest {
  private static final UUID LARGE = new UUID(1, 1);
  private static final UUID SMALL = new UUID(1, 2);
  private static final UUID OTHER = new UUID(1, 3);

  private long nowNs = Long.MAX_VALUE - 1_000_000_000;
  private final Set<String> holding = new HashSet<>();
  private final AdmissionQueue line = new AdmissionQueue(() -> nowNs, holding::contains);

  private void pass(Duration time) {
    nowNs += time.toNanos();
  }

  private boolean fits(UUID transaction) {
    return line.admits(transaction, "worker", () -> true);
  }

  private boolean doesNotFit(UUID transaction) {
    return !line.admits(transaction, "worker", () -> false);
  }

  @Test
  void letsOthersPassForAWhile() {
    assertThat(doesNotFit(LARGE)).isTrue();

    assertThat(fits(SMALL)).isTrue();
    pass(AdmissionQueue.PATIENCE);
    assertThat(fits(SMALL)).isTrue();
  }

  @Test
  void letsAWorkerThatHasNothingGoBeforeOneThatHas() {
    holding.add("busy");

    assertThat(line.admits(OTHER, "busy", () -> true)).isTrue();
    assertThat(line.admits(LARGE, "waiting", () -> false)).isFalse();
    assertThat(line.admits(OTHER, "busy", () -> true)).isFalse();
    assertThat(line.admits(LARGE, "waiting", () -> true)).isTrue();
    assertThat(line.admits(OTHER, "busy", () -> true)).isTrue();
  }

  @Test
  void letsNobodyWaitForAWorkerThatIsGone() {
    holding.add("busy");
    assertThat(line.admits(LARGE, "waiting", () -> false)).isFalse();
    pass(AdmissionQueue.FORGOTTEN_AFTER.plusNanos(1));

    assertThat(line.admits(OTHER, "busy", () -> true)).isTrue();
  }

  @Test
  void letsNobodyPassATransactionThatHasWaitedLongEnough() {
    assertThat(doesNotFit(LARGE)).isTrue();
    pass(AdmissionQueue.PATIENCE.plusNanos(1));

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
    pass(AdmissionQueue.PATIENCE);
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

  @Test
  void isBounded() {
    for (int i = 0; i < 2 * AdmissionQueue.MAX_WAITING; i++) {
      assertThat(doesNotFit(new UUID(2, i))).isTrue();
    }
    pass(AdmissionQueue.PATIENCE.plusNanos(1));
    for (int i = 0; i < AdmissionQueue.MAX_WAITING; i++) {
      assertThat(fits(new UUID(2, i))).isTrue();
    }

    assertThat(fits(SMALL)).isTrue();
  }
}
