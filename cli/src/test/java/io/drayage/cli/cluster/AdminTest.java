package io.drayage.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cli.Drayage;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The endpoints of a primary, a standby and a worker that follows, each in its own process. */
@Tag("nightly")
@Timeout(180)
final class AdminTest {
  @TempDir private Path folder;

  private ChildNode node(String name, String... arguments) throws IOException {
    return ChildNode.start(name, folder, Drayage.class, null, List.of(arguments));
  }

  private ChildNode transactor(String name, String zookeeper) throws IOException {
    return node(
        name,
        "transactor",
        "--listen=127.0.0.1:0",
        "--name=" + name,
        "--data=" + folder.resolve(name),
        "--store=fs:" + folder.resolve("store"),
        "--size=1MB",
        "--admin=127.0.0.1:0",
        zookeeper);
  }

  @Test
  void aStandbyIsReadyAndTakesOverAndAFollowerLoadsWhatItCommits() throws Exception {
    String store = "--store=fs:" + folder.resolve("store");
    try (DebianZooKeeper zookeeper = DebianZooKeeper.start(folder.resolve("zk"))) {
      String servers = "--zookeeper=" + zookeeper.servers();
      try (ChildNode first = transactor("t1", servers)) {
        first.awaitLine("is primary from");
        try (ChildNode second = transactor("t2", servers);
            ChildNode follower =
                node("w1", "worker", "follow", servers, store, "--admin=127.0.0.1:0")) {
          assertThat(AdminClient.of(first).awaitReady()).contains("\"role\" : \"primary\"");
          AdminClient standby = AdminClient.of(second);
          assertThat(standby.awaitReady()).contains("\"role\" : \"standby\"", "\"epoch\" : null");
          AdminClient worker = AdminClient.of(follower);
          assertThat(worker.awaitReady()).contains("\"role\" : \"follower\"");

          first.kill();
          second.awaitLine("is primary from");
          commit(servers, store);
          follower.awaitLine("snapshot 3: ");

          assertThat(standby.awaitReady()).contains("\"role\" : \"primary\"", "\"epoch\" : 2");
          assertThat(standby.get("/metrics"))
              .contains("drayage_primary{node=\"t2\"} 1.0\n", "drayage_epoch{node=\"t2\"} 2.0\n");
          assertThat(worker.get("/metrics"))
              .contains("drayage_snapshot_loaded{node=")
              .contains("drayage_follower_lag_snapshots{node=");
          requireWellFormed(standby.get("/metrics"));
          requireWellFormed(worker.get("/metrics"));
        }
      }
    }
  }

  private static void commit(String servers, String store) {
    StringWriter err = new StringWriter();
    int code =
        Drayage.commandLine()
            .setErr(new PrintWriter(err))
            .setOut(new PrintWriter(new StringWriter()))
            .execute("worker", "commit", servers, store, "--size=1MB");
    assertThat(code).as("%s", err).isZero();
  }

  /** By Prometheus' own tool, which also knows its conventions. */
  private void requireWellFormed(String metrics) throws IOException, InterruptedException {
    Assumptions.assumeTrue(
        Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
            .anyMatch(each -> Files.isExecutable(Path.of(each, "promtool"))),
        "skipped: promtool is not there, install Debian's package prometheus");
    Path page = Files.writeString(folder.resolve("metrics.txt"), metrics);
    Path said = folder.resolve("promtool.txt");
    Process promtool =
        new ProcessBuilder("promtool", "check", "metrics")
            .redirectInput(page.toFile())
            .redirectErrorStream(true)
            .redirectOutput(said.toFile())
            .start();
    assertThat(promtool.waitFor()).as("%s", Files.readString(said)).isZero();
  }
}
