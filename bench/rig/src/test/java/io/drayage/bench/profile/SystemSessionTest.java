package io.drayage.bench.profile;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.bench.link.Link;
import io.drayage.bench.result.Run;
import io.drayage.bench.result.Status;
import io.drayage.bench.rig.HeapPlan;
import io.drayage.bench.rig.RigListener;
import io.drayage.bench.rig.RigPlan;
import io.drayage.bench.rig.RigProfiling;
import io.drayage.bench.rig.node.CargoSpec;
import io.drayage.bench.rig.node.Delivery;
import io.drayage.bench.system.Contender;
import io.drayage.bench.system.SystemOptions;
import io.drayage.bench.system.Systems;
import io.drayage.profiling.ProfilerEvent;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real child JVMs that die. The recordings are not read, so no profiler is needed. */
@Tag("nightly")
@Timeout(240)
final class SystemSessionTest {
  private static final Contender SYSTEM =
      Contender.of(Systems.notation().parse("netty:java+none"), SystemOptions.DEFAULT);

  private static final Duration BUDGET = Duration.ofSeconds(6);

  @TempDir private Path folder;

  private static CargoSpec cargo(long sizeBytes) {
    return new CargoSpec("thesis", sizeBytes, sizeBytes, 1);
  }

  private SystemSession session(int iterations, int experiments, RigListener listener) {
    return new SystemSession(
        new ProfilePlan(
            List.of(SYSTEM),
            new RigPlan(
                cargo(400_000), HeapPlan.of(1_000_000, 0), Delivery.INTO_MEMORY, Link.loopback(1)),
            cargo(200_000),
            iterations,
            experiments,
            BUDGET,
            EnumSet.of(ProfilerEvent.WALL),
            false,
            List.of(),
            folder,
            folder),
        SYSTEM,
        1,
        new RigProfiling(EnumSet.of(ProfilerEvent.WALL), folder),
        listener);
  }

  private static void killChildren() {
    List<ProcessHandle> children = ProcessHandle.current().children().toList();
    assertThat(children).as("worker and transactor of one pair").hasSize(2);
    children.forEach(ProcessHandle::destroyForcibly);
  }

  @Test
  void anExperimentThatKillsItsProcessesFailsAloneAndSaysWhy() throws Exception {
    String fatal = SYSTEM.name() + ", no flushes";
    SystemSession session =
        session(
            1,
            5,
            new RigListener() {
              private boolean killed;

              @Override
              public void ran(Contender contender, Turn turn, Run run) {
                // From the second measured turn on, the next contender finds no processes.
                if (contender.name().equals(fatal) && turn.number() == 2 && !killed) {
                  killed = true;
                  killChildren();
                }
              }
            });
    session.run(BUDGET);

    assertThat(session.runs()).extracting(Run::status).containsOnly(Status.OK);
    List<Run> failed =
        session.experimentRuns().stream().filter(run -> run.status() == Status.FAILED).toList();
    assertThat(failed).as(failed.toString()).hasSize(1);
    String lost = failed.get(0).system();
    for (Outcome outcome : session.outcomes()) {
      boolean concerned =
          lost.equals(SYSTEM.name()) || lost.equals(SYSTEM.name() + ", " + outcome.change());
      if (concerned) {
        assertThat(outcome.finding()).startsWith("failed: ").contains("ended with exit code");
      } else {
        assertThat(outcome.withoutS()).hasSize(5);
        assertThat(outcome.gain()).isNotNull();
      }
    }
  }

  @Test
  void processesThatDieInTheWarmUpFailTheirSideOnly() throws Exception {
    SystemSession session =
        session(
            2,
            0,
            new RigListener() {
              @Override
              public void prepared(
                  Contender contender, @org.jspecify.annotations.Nullable String problem) {
                if (!contender.name().endsWith("recorded")) {
                  killChildren(); // Those of the plain side: the other is not started yet.
                }
              }
            });
    session.run(BUDGET);

    assertThat(session.runs()).extracting(Run::status).containsOnly(Status.FAILED);
  }
}
