package io.drayage.coordination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class InMemoryCoordinationTest extends CoordinationBattery {
  private final InMemoryCluster cluster = new InMemoryCluster();

  @Override
  protected Coordination connect() {
    return new InMemoryCoordination(cluster);
  }

  @Test
  void aPausedPrimaryThatWakesUpCannotPublish() throws Exception {
    TestCandidate paused = new TestCandidate();
    TestCandidate other = new TestCandidate();
    open().stand(ANNA, paused);
    open().stand(BERTA, other);
    Term term = paused.awaitElected();
    term.publish(at(1));

    Runnable wakeUp = cluster.deposePaused();
    Term next = other.awaitElected();
    assertThat(term.isOver()).isFalse();
    assertThatThrownBy(() -> term.publish(at(2))).isInstanceOf(DeposedException.class);
    next.publish(at(2));
    wakeUp.run();
    assertThat(paused.awaitDeposed()).isSameAs(term);
  }
}
