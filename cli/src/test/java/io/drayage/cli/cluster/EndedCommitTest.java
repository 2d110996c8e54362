package io.drayage.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.drayage.cargo.ChangeCargo;
import io.drayage.codec.CargoFile;
import io.drayage.transactor.Workload;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests {@code worker commit} that a signal ends. */
@Tag("ci")
@Timeout(120)
final class EndedCommitTest {
  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({"TERM, 143", "INT, 130"})
  void keepsTheCommitsThatItHas(String signal, int exitCode) throws Exception {
    Path json = folder.resolve("commits.json");
    Path cargo = folder.resolve("row.cargo");
    try (RealCluster cluster = new RealCluster(folder)) {
      cluster.transactorHere("t1");
      ChangeCargo row = Workload.next(cluster.worker("w1").snapshot(), 1, 1).toCargo();
      long unused = CargoFile.write(row.as(UUID.randomUUID(), 0), cargo);
      try (ChildNode commit =
          ChildNode.drayage(
              "committer",
              folder,
              "worker commit --warm-up=0 --cargo=~/row.cargo --on-conflict=overwrite --count=1000000 --json=~/commits.json --zookeeper=%s --store=%s"
                  .formatted(cluster.servers(), cluster.store()))) {
        commit.awaitLine("snapshot ");
        commit.signal(signal);
        assertThat(commit.awaitEnd()).as(commit.output()).isEqualTo(exitCode);
        long printed = commit.output().lines().filter(line -> line.startsWith("snapshot ")).count();
        JsonNode commits = new ObjectMapper().readTree(json.toFile()).path("commits");
        assertThat(commits).as(commit.output()).hasSize((int) printed);
      }
    }
  }
}
