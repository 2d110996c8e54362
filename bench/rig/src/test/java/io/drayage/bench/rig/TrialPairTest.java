package io.drayage.bench.rig;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.bench.link.Link;
import io.drayage.bench.result.Run;
import io.drayage.bench.result.Status;
import io.drayage.bench.rig.node.CargoSpec;
import io.drayage.bench.rig.node.Delivery;
import io.drayage.bench.system.Contender;
import io.drayage.bench.system.SystemOptions;
import io.drayage.bench.system.Systems;
import java.io.IOException;
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

  private static CargoSpec cargo(long sizeBytes) {
    return new CargoSpec("thesis", sizeBytes, sizeBytes, 1);
  }

  private TrialPair pair(long sizeBytes) throws IOException {
    RigPlan plan =
        new RigPlan(
            cargo(sizeBytes), HeapPlan.of(1_000_000, 0), Delivery.INTO_MEMORY, Link.loopback(1));
    return new TrialPair(plan, logs, 1, "trials", null);
  }

  @Test
  void goesFromOneContenderToTheNextAndBack() throws Exception {
    CargoSpec cargo = cargo(200_000);
    try (TrialPair pair = pair(200_000)) {
      for (int turn = 1; turn <= 3; turn++) {
        for (Contender contender : List.of(STREAM, SEGMENTS)) {
          assertThat(pair.prepare(contender, cargo, true)).isNull();
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
    CargoSpec small = cargo(200_000);
    CargoSpec large = cargo(800_000);
    try (TrialPair pair = pair(800_000)) {
      long first = rawBytes(pair, small);
      assertThat(rawBytes(pair, large)).isGreaterThan(2 * first);
      assertThat(rawBytes(pair, small)).isEqualTo(first);
    }
  }

  @Test
  void startsOthersWhenItsProcessesAreGone() throws Exception {
    CargoSpec cargo = cargo(200_000);
    try (TrialPair pair = pair(200_000)) {
      assertThat(pair.prepare(STREAM, cargo, false)).isNull();
      assertThat(pair.run(1).error()).isNull();
      killChildren();
      Run lost = pair.run(2);

      assertThat(lost.status()).isEqualTo(Status.FAILED);
      assertThat(pair.isLost()).isTrue();
      assertThat(pair.prepare(STREAM, cargo, true)).as("stays lost").isEqualTo(lost.error());
      pair.end();
      assertThat(pair.prepare(STREAM, cargo, false)).isNull();
      assertThat(pair.run(1).error()).isNull();
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

  private static long rawBytes(TrialPair pair, CargoSpec cargo) throws Exception {
    assertThat(pair.prepare(SEGMENTS, cargo, false)).isNull();
    Run run = pair.run(1);
    assertThat(run.error()).isNull();
    return Objects.requireNonNull(run.rawBytes());
  }
}
