package io.drayage.bench.rig;

import io.drayage.bench.child.ControlMessages.Command;
import io.drayage.bench.child.ControlMessages.Profiling;
import io.drayage.bench.child.ControlMessages.ProfilingOffer;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.profiling.ProfilerException;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a child does about its profile, if it is told to have one. A child that is not profiled
 * loads no class of the profiler. For one thread.
 */
final class ChildProfile {
  private final DrayageMetrics metrics;

  /** Null unless it is profiled. */
  private @Nullable ProfiledChild profiled;

  /**
   * @param metrics of the child
   */
  ChildProfile(DrayageMetrics metrics) {
    this.metrics = metrics;
  }

  /** Gets ready to record. */
  ProfilingOffer begin(Profiling order) throws ProfilerException {
    ProfiledChild opened = ProfiledChild.of(order, metrics);
    profiled = opened;
    return opened.offer();
  }

  /**
   * Records, pauses, saves or forgets.
   *
   * @return null, the answer to such a command
   */
  @Nullable Object carryOut(Command command) throws IOException {
    Objects.requireNonNull(profiled, "not profiled").carryOut(command);
    return null;
  }
}
