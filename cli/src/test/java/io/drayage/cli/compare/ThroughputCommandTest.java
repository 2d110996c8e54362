package io.drayage.cli.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.drayage.bench.system.PeerSystem;
import io.drayage.cli.CommandFixture;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs the whole command, with real child JVMs and a tiny cargo. */
@Timeout(180)
final class ThroughputCommandTest extends CommandFixture {
  @Test
  void comparesTheBaselineWithASegmentedSystem() throws Exception {
    compares("memory");
  }

  @Test
  @Tag("ci")
  void comparesWholeCommits() throws Exception {
    compares("whole");
  }

  private void compares(String commit) throws Exception {
    Path json = folder.resolve("result.json");
    said(
        0,
        "throughput --size=200KB --commit="
            + commit
            + " --system=grpc:java+none --system=netty:raw+none@cores --iterations=1 --warmup=0 --out=~/kept --json=~/result.json --history=~/history --keep-as=main");
    List<String> lines = lines();
    assertThat(lines.get(0)).startsWith("system");
    assertThat(lines)
        .contains("2 of 2 runs ok, digests equal", "page: " + folder.resolve("kept/report.html"))
        .anyMatch(line -> line.startsWith("CANNOT BE TOLD: 1 turn is too few for an interval"));
    assertThat(lines.get(lines.size() - 1)).contains("./drayage tune");
    assertThat(lines)
        .filteredOn(line -> !line.startsWith("page:") && !line.startsWith("kept:"))
        .allMatch(line -> line.length() <= 100);
    assertThat(err.toString().lines()).anyMatch(line -> line.startsWith("[4/4] "));

    JsonNode result = json(json);
    assertThat(result.get("schema").asInt()).isEqualTo(1);
    assertThat(result.get("environment").get("commit").isTextual()).isTrue();
    assertThat(result.get("config").get("baseline").asText()).isEqualTo("grpc:java+none");
    assertThat(result.get("runs")).hasSize(2);
    assertThat(result.get("summary")).hasSize(2);
    assertThat(result.get("summary").get(0).get("sqSpeedup").asDouble()).isEqualTo(1.0);
    assertThat(folder.resolve("kept/run.json")).hasSameTextualContentAs(json);
    String kept = lines.stream().filter(line -> line.startsWith("kept: ")).findFirst().orElse("");
    assertThat(Path.of(kept.substring("kept: ".length())))
        .hasParentRaw(folder.resolve("history/main"))
        .hasSameTextualContentAs(json);
    assertThat(Files.isDirectory(folder.resolve("kept/logs"))).isTrue();
    assertThat(folder.resolve("kept/report.html"))
        .content()
        .contains("./drayage throughput --size=200KB", "logs/1-grpc-java-none-worker.log");
  }

  @Test
  @Tag("nightly")
  void showsTheThreadsOfTheConfigsSystemAndLeavesTheOthersTheirs() throws Exception {
    Path config = folder.resolve("tuned.conf");
    Files.writeString(
        config, "system = netty:raw+none@2\nworker-threads = 2\ntransactor-threads = 1\n");
    Path json = folder.resolve("result.json");
    String small =
        "throughput --size=200KB --commit=memory --iterations=1 --warmup=0 --config=~/tuned.conf --json=~/result.json --out=~/";
    said(0, small + "tuned");
    assertThat(out.toString()).contains("netty:raw+none@2/1 ");
    JsonNode system = json(json).at("/config/systems/1");
    assertThat(system.get("system").asText()).isEqualTo("netty:raw+none@2/1");
    assertThat(system.get("workerThreads").asInt()).isEqualTo(2);
    assertThat(system.get("transactorThreads").asInt()).isEqualTo(1);

    Files.writeString(config, "system = netty:raw+none@2\nworker-threads = 3\n");
    said(0, small + "named --system=netty:raw+none@1");
    assertThat(json(json).at("/config/systems/0/workerThreads")).hasToString("1");
  }

  @Test
  @Tag("nightly")
  void saysOnceWhatPeersIgnore() {
    for (PeerSystem peer : PeerSystem.all()) {
      assumeTrue(peer.whyUnusable().isEmpty(), () -> peer.whyUnusable().orElse(""));
    }
    said(
        0,
        "throughput --size=200KB --commit=memory --iterations=1 --warmup=0 --segment-size=2MiB --system=netty:raw+none@1 --system=socket:kryo-tuned+none --out=~/kept");
    assertThat(err.toString().lines().filter(line -> line.startsWith("the peers ignore")))
        .containsExactly("the peers ignore --segment-size");
  }

  @Test
  @Tag("nightly")
  void comparesOneTransactionOfSeveralWorkersWithTheirCommits() throws Exception {
    Path json = folder.resolve("result.json");
    said(
        0,
        "throughput --size=200KB --one-transaction --workers=2 --system=netty:raw+none@1 --iterations=1 --warmup=0 --out=~/kept --json=~/result.json");
    assertThat(out.toString())
        .contains(
            "netty:raw+none@1 ",
            "netty:raw+none@1 commits=2 ",
            "netty:raw+none@1 together=2 ",
            "3 of 3 runs ok, digests equal");
    assertThat(json(json).at("/config/baseline").asText()).isEqualTo("netty:raw+none@1");
  }
}
