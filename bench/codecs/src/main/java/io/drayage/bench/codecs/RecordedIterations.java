package io.drayage.bench.codecs;

import io.drayage.metrics.DrayageMetrics;
import io.drayage.profiling.FlameGraphs;
import io.drayage.profiling.Profile;
import io.drayage.profiling.ProfilerEvent;
import io.drayage.profiling.ProfilerException;
import io.drayage.profiling.ProfilerSession;
import io.drayage.profiling.Sample;
import io.drayage.profiling.ThreadRoles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.runner.IterationType;

/**
 * Records the measured iterations of a JMH process in one recording. The iterations before are
 * recorded too, and then discarded, because the JVM still compiles. Made by JMH.
 */
public final class RecordedIterations implements InternalProfiler {
  public static final Set<ProfilerEvent> EVENTS =
      EnumSet.of(ProfilerEvent.CPU, ProfilerEvent.ALLOC);

  private final Path file;
  private @Nullable ProfilerSession session;
  private int recorded;

  /**
   * @param file the file for the recording
   */
  public RecordedIterations(String file) {
    this.file = Path.of(file);
  }

  /** Draws a flame graph of each event beside a recording. */
  static void draw(Path recording, String title) throws IOException {
    Profile profile = Profile.read(recording, ThreadRoles.ofDrayage());
    for (ProfilerEvent event : EVENTS) {
      List<Sample> samples = profile.samplesOf(event).toList();
      if (!samples.isEmpty()) {
        String name = recording.getFileName().toString();
        FlameGraphs.write(
            recording.resolveSibling(name.replace(".jfr", "-" + event.word() + ".html")),
            title + ": " + event.word(),
            samples);
      }
    }
  }

  @Override
  public String getDescription() {
    return "records the measured iterations";
  }

  @Override
  public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
    try {
      if (session == null) {
        session = ProfilerSession.open(EVENTS, file, new DrayageMetrics());
      }
      if (iteration.getType() == IterationType.MEASUREMENT && recorded == 0) {
        session.record(true);
      }
    } catch (ProfilerException | IOException e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
  }

  @Override
  public Collection<? extends Result<?>> afterIteration(
      BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
    if (iteration.getType() == IterationType.MEASUREMENT) {
      recorded++;
      if (recorded == iteration.getCount()) {
        try {
          Objects.requireNonNull(session).finish();
        } catch (IOException e) {
          throw new IllegalStateException("the recording cannot be written: " + e.getMessage(), e);
        }
      }
    }
    return List.of();
  }
}
