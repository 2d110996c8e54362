package io.drayage.coordination;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** A listener that records its calls. */
public final class TestCandidate implements CandidacyListener {
  private final BlockingQueue<Term> elected = new LinkedBlockingQueue<>();
  private final BlockingQueue<Term> deposed = new LinkedBlockingQueue<>();

  @Override
  public void elected(Term term) {
    elected.add(term);
  }

  @Override
  public void deposed(Term term) {
    deposed.add(term);
  }

  /** Waits for the next election. */
  public Term awaitElected() throws InterruptedException {
    return elected.take();
  }

  /** Waits for the next end of a term. */
  public Term awaitDeposed() throws InterruptedException {
    return deposed.take();
  }

  /** Whether the node has been elected since the last {@link #awaitElected}. */
  public boolean isElected() {
    return !elected.isEmpty();
  }
}
