package io.drayage.transactor;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.snapshot.transaction.OpenTransaction;
import io.drayage.transactor.TransactionState.Ending;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The end of a transaction of several workers. */
class TransactionStateTest {
  private static final Duration OVER = Duration.ofNanos(-1);

  @Test
  void aLeaseThatWasRenewedDoesNotEndIt() {
    TransactionState state = leased(Duration.ofHours(1));

    assertThat(state.beginExpiry(ending())).isFalse();
    assertThat(state.isEnding()).isFalse();
  }

  @Test
  void aLeaseThatIsOverEndsItOnce() {
    TransactionState state = leased(OVER);

    assertThat(state.beginExpiry(ending())).isTrue();
    assertThat(state.beginExpiry(ending())).isFalse();
  }

  @Test
  void whoComesLateFindsHowItEnded() {
    TransactionState state = leased(OVER);
    Ending first = ending();
    assertThat(state.begin(first)).isNull();

    state.decided(true);

    assertThat(state.begin(ending())).isSameAs(first);
    assertThat(state.isExpired()).isFalse();
  }

  @Test
  void whatHasNotEndedMayBeEndedAgain() {
    TransactionState state = leased(OVER);
    assertThat(state.begin(ending())).isNull();

    state.decided(false);

    assertThat(state.begin(ending())).isNull();
  }

  private static TransactionState leased(Duration lease) {
    return new TransactionState(new OpenTransaction(new UUID(1, 2), 0, 0, "driver", lease));
  }

  private static Ending ending() {
    return new Ending(null, new CompletableFuture<>());
  }
}
