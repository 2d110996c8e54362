package io.drayage.receive.internal;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** {@link FramesInFlight}: exactly the last frame that ends finds no other at work. */
public final class FramesInFlightStress {
  private FramesInFlightStress() {}

  /** Two frames end. */
  @JCStressTest
  @Outcome(
      id = {"true, false", "false, true"},
      expect = ACCEPTABLE,
      desc = "one is the last")
  @State
  public static class TwoEnd {
    private final FramesInFlight frames = new FramesInFlight();

    public TwoEnd() {
      frames.begin();
      frames.begin();
    }

    @Actor
    public void first(ZZ_Result result) {
      result.r1 = FramesInFlight.isIdle(frames.end());
    }

    @Actor
    public void second(ZZ_Result result) {
      result.r2 = FramesInFlight.isIdle(frames.end());
    }
  }

  /** One frame ends while another begins and ends: one of them sees the final state. */
  @JCStressTest
  @Outcome(
      id = {"false, true", "true, true"},
      expect = ACCEPTABLE,
      desc = "the later one sees it")
  @Outcome(id = "true, false", expect = ACCEPTABLE, desc = "the earlier one is the last to end")
  @State
  public static class OneEndsAndOneComes {
    private final FramesInFlight frames = new FramesInFlight();

    public OneEndsAndOneComes() {
      frames.begin();
    }

    @Actor
    public void ending(ZZ_Result result) {
      result.r1 = endedUnchanged();
    }

    @Actor
    public void coming(ZZ_Result result) {
      frames.begin();
      result.r2 = endedUnchanged();
    }

    private boolean endedUnchanged() {
      long state = frames.end();
      return FramesInFlight.isIdle(state) && frames.isUnchanged(state);
    }
  }
}
