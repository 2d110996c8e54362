package io.drayage.bench.rig.node;

import io.drayage.bench.child.ControlMessages.Command;
import io.drayage.bench.child.ControlMessages.Profiling;
import io.drayage.bench.child.ControlMessages.ProfilingOffer;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.profiling.ProfilerEvent;
import io.drayage.profiling.ProfilerException;
import io.drayage.profiling.ProfilerSession;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The profile of a child, if it is told to record one. Not thread-safe. */
final class ChildProfile {
  private final DrayageMetrics metrics;

  /** Null unless it is profiled. */
  private @Nullable Session session;

  /** Of its own, so that a child that is not profiled loads no class of the profiler. */
  private record Session(ProfilerSession profiler) {
    static Session open(Profiling order, DrayageMetrics metrics) throws ProfilerException {
      return new Session(
          ProfilerSession.open(
              events(order), order.kernelFrames(), Path.of(order.file()), metrics));
    }

    static Set<ProfilerEvent> events(Profiling order) {
      Set<ProfilerEvent> events = EnumSet.noneOf(ProfilerEvent.class);
      order.events().forEach(word -> events.add(ProfilerEvent.ofWord(word)));
      return events;
    }

    ProfilingOffer offer(Profiling order) {
      return new ProfilingOffer(profiler.offer().statements(events(order)));
    }

    void carryOut(Command command) throws IOException {
      switch (command) {
        case RECORD -> profiler.resume();
        case PAUSE -> profiler.pause();
        case DISCARD -> profiler.discard();
        case SAVE -> profiler.finish();
        default ->
            throw new IllegalArgumentException(command + " has nothing to do with a profile");
      }
    }
  }

  /**
   * @param metrics of the child
   */
  ChildProfile(DrayageMetrics metrics) {
    this.metrics = metrics;
  }

  /** Gets ready to record. */
  ProfilingOffer begin(Profiling order) throws ProfilerException {
    Session opened = Session.open(order, metrics);
    session = opened;
    return opened.offer(order);
  }

  /**
   * Records, pauses, saves or discards.
   *
   * @return null, the answer to such a command
   */
  @Nullable Object carryOut(Command command) throws IOException {
    Objects.requireNonNull(session, "not profiled").carryOut(command);
    return null;
  }
}
