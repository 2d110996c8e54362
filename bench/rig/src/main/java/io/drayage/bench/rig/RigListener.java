package io.drayage.bench.rig;

import io.drayage.bench.result.Run;
import io.drayage.bench.result.Warmth;
import io.drayage.bench.system.Contender;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A listener to a rig's progress. Called by the rig's thread, never while a clock runs. */
public interface RigListener {
  /** Called when the processes of a system have been started. */
  default void started(
      Contender contender, List<ProcessHandle> workers, ProcessHandle transactor) {}

  /**
   * Called when a system is ready, which is one step, or when all its runs will fail.
   *
   * @param problem why the system is not ready; null if it is
   */
  default void prepared(Contender contender, @Nullable String problem) {}

  /** Called when a system is warm, or its time for that is over, which is one step. */
  default void warmed(Contender contender, Warmth warmth) {}

  /**
   * Called when warm-up turns go on.
   *
   * @param cold the reasons in words; at least one
   */
  default void warming(List<String> cold) {}

  /** Called when an iteration is over, which is one step. */
  default void ran(Contender contender, Turn turn, Run run) {}

  /**
   * One turn of a system.
   *
   * @param warmup whether its result is dropped
   * @param number from 1; warm-ups are counted separately
   */
  record Turn(boolean warmup, int number) {
    /** Returns the number for a {@link Run}: 0 for a warm-up. */
    public int iteration() {
      return warmup ? 0 : number;
    }

    @Override
    public String toString() {
      return (warmup ? "warm-up " : "turn ") + number;
    }
  }
}
