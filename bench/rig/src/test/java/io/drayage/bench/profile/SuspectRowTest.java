package io.drayage.bench.profile;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.profiling.Frame;
import io.drayage.profiling.FrameRules;
import io.drayage.profiling.FrameRules.Rule;
import io.drayage.profiling.Profile;
import io.drayage.profiling.ProfilerEvent;
import io.drayage.profiling.Sample;
import io.drayage.profiling.Shares;
import io.drayage.profiling.ThreadRoles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class SuspectRowTest {
  private static final String SYSTEM = "a system";
  private static final FrameRules RULES = FrameRules.ofDrayage();
  private static final ThreadRoles ROLES = ThreadRoles.ofDrayage();
  private static final Rule GRPC =
      RULES.rules().stream().filter(rule -> rule.id().equals("grpc")).findFirst().orElseThrow();

  /** One second of CPU time at both ends together, in one second of S+Q. */
  private static final SuspectRow.Spent SPENT = new SuspectRow.Spent(1, 0.5, 0.5);

  private static ProfiledEnd end(int samples, int ofGrpc, int ofCompiler) {
    List<Sample> all = new ArrayList<>();
    for (int i = 0; i < samples; i++) {
      String frame = i < ofGrpc ? "io.grpc.internal.Some.call" : "of.nobody.Program.run";
      String role = i >= samples - ofCompiler ? "JIT" : "a role";
      all.add(
          new Sample(
              ProfilerEvent.CPU,
              false,
              i,
              "a thread",
              role,
              List.of(new Frame(frame, (byte) 0)),
              ProfilerEvent.CPU_INTERVAL_NS));
    }
    Profile profile = new Profile(all, List.of(), Map.of());
    return new ProfiledEnd(
        SYSTEM, true, Path.of("a.jfr"), profile, Shares.of(profile, RULES, ROLES), List.of());
  }

  private static String verdict(ProfiledEnd worker, ProfiledEnd transactor) {
    return verdict(worker, transactor, null, List.of());
  }

  private static String verdict(
      ProfiledEnd worker,
      ProfiledEnd transactor,
      @Nullable Overhead overhead,
      List<Outcome> outcomes) {
    String untold = SuspectRow.untold(worker, transactor, overhead);
    return SuspectRow.of(GRPC, worker, transactor, untold, SPENT, outcomes).verdict();
  }

  @Test
  void acquitsOnlyWithSamplesThatShowTheBound() {
    assertThat(verdict(end(20, 0, 0), end(20, 0, 0)))
        .isEqualTo("cannot be told from 20 and 20 samples (at most 16 %)");
    assertThat(verdict(end(1000, 0, 0), end(1000, 0, 0))).isEqualTo("not guilty (not there)");
    assertThat(verdict(end(1000, 0, 0), end(20, 0, 0)))
        .isEqualTo("cannot be told from 1000 and 20 samples (at most 8 %)");
    assertThat(verdict(end(1000, 30, 0), end(1000, 0, 0))).isEqualTo("not guilty (at most 2 %)");
    assertThat(verdict(end(100, 3, 0), end(100, 0, 0)))
        .isEqualTo("cannot be told from 100 and 100 samples (at most 6 %)");
    assertThat(verdict(end(1000, 300, 0), end(1000, 0, 0))).isEqualTo("at most 17 %");
  }

  @Test
  void acquitsNothingThatTheSamplesCannotShow() {
    ProfiledEnd sound = end(1000, 0, 0);
    String untold = SuspectRow.NO_KERNEL;
    assertThat(SuspectRow.of(GRPC, sound, sound, untold, SPENT, List.of()).verdict())
        .isEqualTo("cannot be told without the kernel's frames");
    assertThat(SuspectRow.of(GRPC, sound, sound, null, null, List.of()).verdict())
        .isEqualTo("cannot be removed");
    assertThat(verdict(end(1000, 1000, 0), end(1000, 1000, 0))).isEqualTo("cannot be removed");
  }

  @Test
  void anEndWithoutSamplesBoundsNothing() {
    assertThat(verdict(end(1000, 0, 0), end(0, 0, 0)))
        .isEqualTo("cannot be told from 1000 and 0 samples (at most 50 %)");
  }

  @Test
  void tellsNothingFromARecordingThatIsDefective() {
    ProfiledEnd sound = end(1000, 0, 100);
    ProfiledEnd cold = end(1000, 0, 101);
    String untold = "cannot be told from a defective recording";
    assertThat(verdict(sound, sound)).isEqualTo("not guilty (not there)");
    assertThat(verdict(cold, sound)).isEqualTo(untold);
    assertThat(verdict(sound, cold)).isEqualTo(untold);
    assertThat(verdict(end(1000, 600, 101), sound)).isEqualTo(untold);
  }

  @Test
  void tellsNothingFromARecordingThatCostsTooMuch() {
    ProfiledEnd sound = end(1000, 0, 0);
    assertThat(verdict(sound, sound, new Overhead(SYSTEM, true, 0.11), List.of()))
        .isEqualTo("cannot be told from a recording that costs more than 10 % of S+Q");
    assertThat(verdict(sound, sound, new Overhead(SYSTEM, true, 0.09), List.of()))
        .isEqualTo("not guilty (not there)");
  }

  @Test
  void anExperimentDecidesWhateverTheRecordingShows() {
    List<Double> times = List.of(1.0, 1.01, 0.99, 1.0, 1.02, 0.99, 1.0);
    Outcome outcome =
        new Outcome(SYSTEM, "grpc", "gone", true, times, times, null, null, null, "").judged();
    ProfiledEnd cold = end(20, 0, 20);
    assertThat(verdict(cold, cold, null, List.of(outcome))).isEqualTo("not guilty (at most 0 %)");
  }
}
