package io.drayage.cli.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.drayage.bench.environment.Checkout;
import io.drayage.bench.study.StudyProcess;
import io.drayage.cli.CommandRun;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(180)
final class StudyCommandTest {
  @TempDir private Path folder;

  @Tag("ci")
  @Test
  void printsOursBesideThePublishedFigures() throws Exception {
    Path jar = Checkout.jar(StudyProcess.ofName("hazelcast").module());
    assumeTrue(Files.isRegularFile(jar), () -> jar + " is not built: run mvn package");
    Path json = folder.resolve("study.json");
    CommandRun run =
        CommandRun.of(
            "study",
            "hazelcast",
            "--experiment=sizes",
            "--objects=5",
            "--json=" + json,
            "--out=" + folder.resolve("kept"));

    assertThat(run.code()).as(run.toString()).isZero();
    assertThat(run.out().get(1)).startsWith("system").contains("published", "ratio", "rank");
    JsonNode summary = CommandRun.json(json).get("summary");
    assertThat(summary.get(0).fieldNames())
        .toIterable()
        .containsExactlyInAnyOrder(
            "study",
            "experiment",
            "system",
            "unit",
            "ours",
            "published",
            "ratio",
            "rank",
            "publishedRank");
    assertThat(CommandRun.json(json).get("correlations")).hasSize(1);
    assertThat(folder.resolve("kept/report.html")).exists();
    assertThat(folder.resolve("kept/run.json")).exists();
  }
}
