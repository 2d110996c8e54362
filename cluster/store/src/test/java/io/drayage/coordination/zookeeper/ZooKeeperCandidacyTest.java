package io.drayage.coordination.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.coordination.NodeInfo;
import io.drayage.coordination.Term;
import io.drayage.coordination.TestCandidate;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ZooKeeperCandidacyTest {
  private static final NodeInfo ANNA = new NodeInfo("anna", "127.0.0.1:1");
  private static final NodeInfo BERTA = new NodeInfo("berta", "127.0.0.1:2");

  /** A latch that always leads; a test triggers its notifications. */
  private static final class AlwaysFirst implements Latch {
    private Runnable first = () -> {};
    private Runnable lost = () -> {};
    private Executor executor = Runnable::run;

    @Override
    public void enter(Runnable whenFirst, Runnable whenLost, Executor events) {
      first = whenFirst;
      lost = whenLost;
      executor = events;
      executor.execute(first);
    }

    /** Loses the session and becomes the first again, before the candidacy can look. */
    void flicker() {
      executor.execute(lost);
      executor.execute(first);
    }

    @Override
    public boolean leads() {
      return true;
    }

    @Override
    public List<String> candidates() {
      return List.of(ANNA.name());
    }

    @Override
    public void leave() {}

    @Override
    public void close() {}
  }

  private final SimZooKeeper ensemble = new SimZooKeeper();
  private final SimSession session = ensemble.connect(new SplittableRandom(1));
  private final AlwaysFirst latch = new AlwaysFirst();
  private final TestCandidate listener = new TestCandidate();
  private final ZooKeeperCandidacy candidacy =
      new ZooKeeperCandidacy(session, latch, ANNA, listener);

  @AfterEach
  void close() {
    candidacy.close();
    session.close();
  }

  /** Another candidate may have begun a term meanwhile, for which workers look, and be gone. */
  @Test
  void endsATermWhoseLeadWasLostForAMoment() throws Exception {
    candidacy.start();
    Term term = listener.awaitElected();
    latch.flicker();
    assertThat(listener.awaitDeposed()).isSameAs(term);
    assertThat(term.isOver()).isTrue();
    assertThat(listener.awaitElected().epoch()).isGreaterThan(term.epoch());
  }

  @Test
  void beginsAnotherTermWhenAnotherNodeHasBegunOneThatDoesNotLead() throws Exception {
    candidacy.start();
    Term term = listener.awaitElected();
    try (SimSession other = ensemble.connect(new SplittableRandom(2))) {
      Term stolen = ZooKeeperTerm.begin(other, BERTA, 0);
      assertThat(listener.awaitDeposed()).isSameAs(term);
      assertThat(listener.awaitElected().epoch()).isGreaterThan(stolen.epoch());
    }
  }
}
