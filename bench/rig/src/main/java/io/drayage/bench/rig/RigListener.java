package io.drayage.bench.rig;

import io.drayage.bench.result.Run;
import io.drayage.bench.result.Warmth;
import io.drayage.bench.system.Contender;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Hears how a rig gets on. Called by the thread that runs it, never while a clock runs. */
public interface RigListener {
  /** The processes of a system have been started. */
  default void started(
      Contender contender, List<ProcessHandle> workers, ProcessHandle transactor) {}

  /**
   * A system is ready, which is one step; or it is not, and all its runs will fail.
   *
   * @param problem why it is not ready; null if it is
   */
  default void prepared(Contender contender, @Nullable String problem) {}

  /** A system is warm, or has had its time for that, which is one step. */
  default void warmed(Contender contender, Warmth warmth) {}

  /**
   * Warm-up turns go on.
   *
   * @param cold what they wait for, in words; at least one
   */
  default void warming(List<String> cold) {}

  /** An iteration is over, which is one step. */
  default void ran(Contender contender, Turn turn, Run run) {}

  /**
   * One turn of a system.
   *
   * @param warmup whether its result is dropped
   * @param number from 1, warm-ups by themselves
   */
  record Turn(boolean warmup, int number) {
    /** As it stands in a {@link Run}: 0 for a warm-up. */
    public int iteration() {
      return warmup ? 0 : number;
    }

    @Override
    public String toString() {
      return (warmup ? "warm-up " : "turn ") + number;
    }
  }
}
