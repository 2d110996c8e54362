package io.drayage.bench.rig;

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
import java.util.Set;

/**
 * The profile of a child. Loaded by the command {@link Command#PROFILE}: a child that is not
 * profiled has no class of the profiler. For one thread.
 */
final class ProfiledChild {
  private final ProfilerSession session;
  private final ProfilingOffer offer;

  private ProfiledChild(ProfilerSession session, ProfilingOffer offer) {
    this.session = session;
    this.offer = offer;
  }

  static ProfiledChild of(Profiling order, DrayageMetrics metrics) throws ProfilerException {
    Set<ProfilerEvent> events = EnumSet.noneOf(ProfilerEvent.class);
    order.events().forEach(word -> events.add(ProfilerEvent.ofWord(word)));
    ProfilerSession session =
        ProfilerSession.open(events, order.kernelFrames(), Path.of(order.file()), metrics);
    return new ProfiledChild(session, new ProfilingOffer(session.offer().statements(events)));
  }

  ProfilingOffer offer() {
    return offer;
  }

  void carryOut(Command command) throws IOException {
    switch (command) {
      case RECORD -> session.resume();
      case PAUSE -> session.pause();
      case DISCARD -> session.discard();
      case SAVE -> session.finish();
      default -> throw new IllegalArgumentException(command + " has nothing to do with a profile");
    }
  }
}
