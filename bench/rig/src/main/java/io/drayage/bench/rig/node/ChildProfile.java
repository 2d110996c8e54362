package io.drayage.bench.rig.node;

import io.drayage.bench.child.ChildLoop.Arguments;
import io.drayage.bench.child.ControlMessages.Command;
import io.drayage.bench.child.ControlMessages.Profiling;
import io.drayage.bench.child.ControlMessages.Sampling;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.profiling.ProfilerEvent;
import io.drayage.profiling.ProfilerException;
import io.drayage.profiling.ProfilerSession;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The profile of a child, if a command requests one. Not thread-safe. */
final class ChildProfile {
  private final DrayageMetrics metrics;

  /** The session; null unless the child is profiled. */
  private @Nullable Session session;

  /** A separate class, so that a child without profiling loads no class of the profiler. */
  private record Session(ProfilerSession profiler) {
    static Session open(Profiling order, DrayageMetrics metrics) throws ProfilerException {
      return new Session(
          ProfilerSession.open(
              order.events().stream().map(ProfilerEvent::ofWord).collect(Collectors.toSet()),
              Path.of(order.file()),
              metrics));
    }

    void carryOut(Command command, Arguments arguments) throws IOException, ProfilerException {
      if (command == Command.SAVE) {
        profiler.finish();
      } else {
        profiler.record(arguments.as(Sampling.class).kernelFrames());
      }
    }
  }

  /**
   * @param metrics of the child
   */
  ChildProfile(DrayageMetrics metrics) {
    this.metrics = metrics;
  }

  /**
   * Prepares a recording, records, or saves.
   *
   * @return null, the answer to such a command
   */
  @Nullable Object carryOut(Command command, Arguments arguments)
      throws IOException, ProfilerException {
    if (command == Command.PROFILE) {
      session = Session.open(arguments.as(Profiling.class), metrics);
    } else {
      Objects.requireNonNull(session, "not profiled").carryOut(command, arguments);
    }
    return null;
  }
}
