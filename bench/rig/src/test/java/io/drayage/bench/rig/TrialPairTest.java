package io.drayage.bench.rig;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.bench.link.Link;
import io.drayage.bench.result.Run;
import io.drayage.bench.result.Status;
import io.drayage.bench.rig.node.Delivery;
import io.drayage.bench.system.Contender;
import io.drayage.bench.system.SystemOptions;
import io.drayage.bench.system.Systems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real child JVMs and tiny cargoes. */
@Tag("nightly")
@Timeout(300)
final class TrialPairTest {
  private static final Contender STREAM = contender("grpc:java+none");
  private static final Contender SEGMENTS = contender("netty:raw+none@2");

  @TempDir private Path logs;

  private static Contender contender(String system) {
    return Contender.of(Systems.notation().parse(system), SystemOptions.DEFAULT);
  }

  private RigPlan plan(long sizeBytes) {
    return new RigPlan(
        List.of(),
        new CargoSpec("thesis", sizeBytes, sizeBytes, 1),
        1,
        0,
        HeapPlan.of(1_000_000, 0),
        logs,
        Delivery.INTO_MEMORY,
        Link.loopback(1));
  }

  @Test
  void goesFromOneContenderToTheNextAndBack() throws Exception {
    RigPlan plan = plan(200_000);
    try (TrialPair pair = new TrialPair(plan)) {
      for (int turn = 1; turn <= 3; turn++) {
        for (Contender contender : List.of(STREAM, SEGMENTS)) {
          assertThat(pair.prepare(contender, plan, true)).isNull();
          Run run = pair.run(turn);

          assertThat(run.error()).isNull();
          assertThat(run.status()).isEqualTo(Status.OK);
          assertThat(run.system()).isEqualTo(contender.name());
          assertThat(run.iteration()).isEqualTo(turn);
        }
      }
    }
    try (Stream<Path> files = Files.list(logs)) {
      assertThat(files).as("one log an end: the processes stay").hasSize(2);
    }
  }

  @Test
  void shipsAnotherCargoIfToldSo() throws Exception {
    RigPlan small = plan(200_000);
    RigPlan large = plan(800_000);
    try (TrialPair pair = new TrialPair(large)) {
      long first = rawBytes(pair, small);
      assertThat(rawBytes(pair, large)).isGreaterThan(2 * first);
      assertThat(rawBytes(pair, small)).isEqualTo(first);
    }
  }

  @Test
  void startsOthersWhenItsProcessesAreGone() throws Exception {
    RigPlan plan = plan(200_000);
    try (TrialPair pair = new TrialPair(plan)) {
      assertThat(pair.run(STREAM, 1)).extracting(Run::error).containsOnlyNulls();
      killChildren();
      Run lost = pair.run(2);

      assertThat(lost.status()).isEqualTo(Status.FAILED);
      assertThat(pair.isLost()).isTrue();
      assertThat(pair.prepare(STREAM, plan, true)).as("stays lost").isEqualTo(lost.error());
      assertThat(pair.run(STREAM, 1)).extracting(Run::error).containsOnlyNulls();
    }
  }

  private static void killChildren() {
    List<ProcessHandle> children = ProcessHandle.current().children().toList();
    assertThat(children).as("worker and transactor").hasSize(2);
    for (ProcessHandle child : children) {
      child.destroyForcibly();
      child.onExit().join();
    }
  }

  private static long rawBytes(TrialPair pair, RigPlan plan) throws Exception {
    assertThat(pair.prepare(SEGMENTS, plan, false)).isNull();
    Run run = pair.run(1);
    assertThat(run.error()).isNull();
    return Objects.requireNonNull(run.rawBytes());
  }
}
