package io.drayage.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.bench.Drayage;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The commands of a cluster, as a user types them. */
class ClusterCommandsTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir private Path folder;

  private int run(String... arguments) {
    return Drayage.commandLine()
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(arguments);
  }

  @Test
  @Timeout(120)
  void aTransactorAWorkerAndTheirStatus() throws Exception {
    String store = "--store=fs:" + folder.resolve("store");
    try (ChildNode transactor =
        ChildNode.start(
            "t1",
            folder,
            Drayage.class,
            null,
            List.of(
                "transactor",
                "--listen=127.0.0.1:0",
                "--name=t1",
                "--data=" + folder,
                "--size=1MB",
                "--zookeeper-port=0"))) {
      transactor.awaitLine("is primary from");
      transactor.awaitLine("listens at");
      String line = transactor.output();
      String zookeeper =
          "--zookeeper="
              + line.substring(line.indexOf("zookeeper ") + 10).lines().findFirst().get();

      assertThat(run("worker", "commit", zookeeper, store, "--size=1MB", "--count=2"))
          .as("%s", err)
          .isZero();
      assertThat(run("worker", "commit", zookeeper, store, "--size=1MB", "--load=store"))
          .as("%s", err)
          .isZero();
      assertThat(run("worker", "follow", zookeeper, store, "--until=4")).as("%s", err).isZero();
      assertThat(run("worker", "status", zookeeper)).as("%s", err).isZero();
      assertThat(transactor.terminate()).isEqualTo(143);

      assertThat(out.toString())
          .contains("snapshot 2: ", "snapshot 3: ", "snapshot 4: ")
          .contains("snapshot  4, epoch 1", "primary   t1 at 127.0.0.1:");
      assertThat(transactor.output())
          .contains("snapshot 4: transaction", "is closed at snapshot 4");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "transactor|--data",
        "transactor --data d --listen here|write HOST:PORT",
        "transactor --data d --transport tcp|none of",
        "worker|name commit, follow or status",
        "worker commit --zookeeper z|--store",
        "worker commit --zookeeper z --store x --count 0|at least 1",
        "worker commit --zookeeper z --store x --ack never|APPLIED",
        "worker commit --zookeeper z --store x|fs:FOLDER",
        "worker status|--zookeeper",
      })
  void saysWhatIsWrong(String line, String expected) {
    assertThat(run(line.split(" "))).isEqualTo(2);
    assertThat(err.toString()).contains(expected).hasLineCount(1);
  }
}
