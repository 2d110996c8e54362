package io.drayage.cli.explain;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.drayage.bench.ceiling.CeilingRow;
import io.drayage.cli.CommandFixture;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs the command with real child JVMs and few bytes. {@code CeilingRunTest} has two rows. */
final class CeilingCommandTest extends CommandFixture {
  @Test
  @Tag("nightly")
  @Timeout(180)
  void measuresEveryRowAndNamesTheBottleneck() throws Exception {
    Path json = folder.resolve("ceiling.json");
    Path disk = Files.createDirectory(folder.resolve("disk"));
    said(0, "ceiling --size=200KB --iterations=1 --warmup=0 --disk=~/disk --json=~/ceiling.json");
    List<String> lines = lines();
    assertThat(lines.get(0)).startsWith("row");
    assertThat(lines.get(lines.size() - 2)).contains("bottleneck", ">= 0.55 of the sink");
    assertThat(lines.get(lines.size() - 1)).contains("of CPU time", "store");
    assertThat(disk).isEmptyDirectory();

    JsonNode result = json(json);
    assertThat(result.get("schema").asInt()).isEqualTo(1);
    assertThat(result.get("environment").get("commit").isTextual()).isTrue();
    assertThat(result.get("config").get("sinkShare").asDouble()).isEqualTo(0.55);
    assertThat(result.get("runs")).hasSize(CeilingRow.available().size());
    assertThat(result.get("summary")).hasSize(CeilingRow.available().size());
    for (JsonNode row : result.get("summary")) {
      assertThat(row.get("status").asText()).isEqualTo("ok");
      assertThat(row.get("gbps").asDouble()).as(row.toString()).isPositive();
    }
  }
}
