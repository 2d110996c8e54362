package io.drayage.memory;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.J_Result;
import org.openjdk.jcstress.infra.results.ZZJ_Result;

/** {@link ByteBudget}: never above its limit, and all released bytes are available. */
public final class ByteBudgetStress {
  private ByteBudgetStress() {}

  /** Two threads want more than half each. */
  @JCStressTest
  @Outcome(
      id = {"true, false, 60", "false, true, 60"},
      expect = ACCEPTABLE,
      desc = "one has it")
  @State
  public static class TwoTry {
    private final ByteBudget budget = new ByteBudget(100);

    @Actor
    public void first(ZZJ_Result result) {
      result.r1 = budget.tryAcquire(60);
    }

    @Actor
    public void second(ZZJ_Result result) {
      result.r2 = budget.tryAcquire(60);
    }

    @Arbiter
    public void used(ZZJ_Result result) {
      result.r3 = budget.usedBytes();
    }
  }

  /** One thread waits for the bytes that the other releases; a lost wake-up hangs. */
  @JCStressTest
  @Outcome(id = "100", expect = ACCEPTABLE, desc = "the waiter was served")
  @State
  public static class WaitAndRelease {
    private final ByteBudget budget = new ByteBudget(100);

    public WaitAndRelease() {
      budget.tryAcquire(100);
    }

    @Actor
    public void waiter() {
      try {
        budget.acquire(100);
      } catch (InterruptedException e) {
        throw new AssertionError("nobody interrupts", e);
      }
    }

    @Actor
    public void releaser() {
      budget.release(100);
    }

    @Arbiter
    public void used(J_Result result) {
      result.r1 = budget.usedBytes();
    }
  }
}
