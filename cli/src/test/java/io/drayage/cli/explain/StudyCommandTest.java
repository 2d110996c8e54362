package io.drayage.cli.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.drayage.bench.environment.Checkout;
import io.drayage.bench.study.StudyProcess;
import io.drayage.cli.CommandFixture;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
final class StudyCommandTest extends CommandFixture {
  @Tag("ci")
  @Test
  void printsOursBesideThePublishedFigures() throws Exception {
    Path jar = Checkout.jar(StudyProcess.ofName("hazelcast").module());
    assumeTrue(Files.isRegularFile(jar), () -> jar + " is not built: run mvn package");
    Path json = folder.resolve("study.json");
    said(0, "study hazelcast --experiment=sizes --objects=5 --json=~/study.json --out=~/kept");
    assertThat(lines().get(1)).startsWith("system").contains("published", "ratio", "rank");
    JsonNode summary = json(json).get("summary");
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
    assertThat(json(json).get("correlations")).hasSize(1);
    assertThat(folder.resolve("kept/report.html")).exists();
    assertThat(folder.resolve("kept/run.json")).exists();
  }
}
