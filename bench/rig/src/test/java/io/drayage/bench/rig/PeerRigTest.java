package io.drayage.bench.rig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.drayage.bench.link.Link;
import io.drayage.bench.result.Run;
import io.drayage.bench.result.Status;
import io.drayage.bench.rig.node.CargoSpec;
import io.drayage.bench.rig.node.Delivery;
import io.drayage.bench.system.Contender;
import io.drayage.bench.system.PeerSystem;
import io.drayage.bench.system.SystemOptions;
import io.drayage.bench.system.SystemUnderTest;
import io.drayage.bench.system.Systems;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Peers under the rig, alternating with a system of ours. */
@Tag("nightly")
final class PeerRigTest {
  private static final long SIZE_BYTES = 5_000_000;

  @TempDir private Path logs;

  @Test
  @Timeout(180)
  void comparesPeersWithOurs() throws Exception {
    List<SystemUnderTest> systems =
        Stream.of("netty:raw+none@2", "arrow-flight", "socket:kryo-tuned+zstd-mt")
            .map(Systems.notation()::parse)
            .toList();
    for (PeerSystem peer : PeerSystem.all()) {
      assumeTrue(peer.whyUnusable().isEmpty(), () -> peer.whyUnusable().orElse(""));
    }
    List<Run> runs =
        new Rig(
                new RigPlan(
                    new CargoSpec("thesis", SIZE_BYTES, SIZE_BYTES, 1),
                    HeapPlan.of(SIZE_BYTES, 0),
                    Delivery.INTO_MEMORY,
                    Link.loopback(1)),
                systems.stream()
                    .map(system -> Contender.of(system, SystemOptions.DEFAULT))
                    .toList(),
                TurnPlan.fixed(2, 1),
                logs,
                new RigListener() {})
            .run()
            .runs();

    assertThat(runs).hasSize(6).allSatisfy(run -> assertThat(run.error()).isNull());
    assertThat(runs).extracting(Run::status).containsOnly(Status.OK);
    assertThat(runs).extracting(Run::digestOk).containsOnly(true);
    assertThat(runs).extracting(Run::rawBytes).containsOnly(runs.get(0).rawBytes());
    for (Run run : runs) {
      boolean isPeer = !run.system().startsWith("netty");
      assertThat(run.sqS()).isPositive();
      assertThat(run.wireBytes()).isPositive();
      assertThat(run.commitS() == null).as("no commit of %s", run.system()).isEqualTo(isPeer);
      assertThat(run.phases().drainS() == null).isEqualTo(isPeer);
      assertThat(run.cost().utilisation()).isNotNull();
    }
  }
}
