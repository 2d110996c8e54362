package io.drayage.cli.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.drayage.cli.CommandFixture;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs the command with real processes, for seconds. */
final class CommitsCommandTest extends CommandFixture {
  private static final String SHORT =
      "commits --seconds=1 --warmup=0 --iterations=1 --json=~/r.json";

  @Test
  @Tag("ci")
  @Timeout(180)
  void measuresANodeWithSeveralCallers() throws Exception {
    Path disk = Files.createDirectory(folder.resolve("disk"));
    said(0, SHORT + " --callers=1,4 --rate=50 --disk=~/disk");

    assertThat(lines().get(0)).startsWith("system").contains("commits/s", "p99", "worst");
    assertThat(lastLine()).startsWith("medians of 1;");
    assertThat(disk).isEmptyDirectory();
    JsonNode result = json(folder.resolve("r.json"));
    assertThat(result.get("schema").asInt()).isEqualTo(1);
    assertThat(result.get("config").get("rate").asInt()).isEqualTo(50);
    assertThat(result.get("summary")).hasSize(2);
    for (JsonNode round : result.get("rounds")) {
      assertThat(round.get("status").asText()).isEqualTo("ok");
      assertThat(round.get("commits").asLong()).isEqualTo(50);
      assertThat(round.get("serverCpuMs").asDouble()).isPositive();
      assertThat(round.get("objects").asDouble()).isPositive();
      assertThat(round.get("bytes").asDouble()).isPositive();
    }
  }

  @Test
  @Tag("nightly")
  @Timeout(300)
  void takesTurnsWithPostgresql() throws Exception {
    assumeTrue(Files.exists(Path.of("/usr/lib/postgresql")), "PostgreSQL is not installed");
    said(0, SHORT + " --callers=2 --beside=postgresql");

    assertThat(lastLine()).startsWith("drayage commits ").contains("times as fast as postgresql");
    JsonNode rows = json(folder.resolve("r.json")).get("summary");
    assertThat(rows).hasSize(2);
    assertThat(rows.get(1).get("system").asText()).isEqualTo("postgresql");
    assertThat(rows.get(1).get("perSecond").asDouble()).isPositive();
    assertThat(rows.get(1).get("bytes").asDouble()).isPositive();
  }

  @Test
  void refusesWhatItCannotMeasure() throws Exception {
    Path used = Files.createDirectories(folder.resolve("used/snapshots"));
    Files.writeString(used.resolve("00000000000000000001.commit"), "somebody's");
    assertThat(said(2, "commits --store=fs:~/used")).contains("is not empty");
    assertThat(said(2, "commits --store=none")).contains("--store: 'none' is not an object store");
    assertThat(said(2, "commits --callers=0")).contains("--callers must be 1 to 1000, not 0");
    assertThat(said(2, "commits --callers=2,2")).contains("--callers 2 is named twice");
    assertThat(said(2, "commits --beside=oracle"))
        .contains("--beside must be postgresql, not 'oracle'");
    assertThat(said(2, "commits --disk=~/none")).contains("is no folder");
  }
}
