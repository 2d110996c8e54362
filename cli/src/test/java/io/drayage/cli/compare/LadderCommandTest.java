package io.drayage.cli.compare;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.drayage.bench.system.SystemList;
import io.drayage.cli.CommandFixture;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs the whole command, with real child JVMs and a tiny cargo. */
@Tag("nightly")
final class LadderCommandTest extends CommandFixture {
  @Test
  @Timeout(600)
  void climbsEveryRungThatTheMachineHas() throws Exception {
    Path json = folder.resolve("ladder.json");
    said(0, "ladder --size=200KB --iterations=1 --warmup=0 --out=~/kept --json=~/ladder.json");
    List<String> lines = lines();
    assertThat(lines.get(0)).startsWith("rung");
    assertThat(lines.get(1).strip()).startsWith("1  grpc:java+none");
    assertThat(out.toString()).contains("as fast as grpc:java+none", "digests equal");
    JsonNode result = json(json);
    assertThat(result.get("schema").asInt()).isEqualTo(1);
    assertThat(result.get("config").get("baseline").asText()).isEqualTo("grpc:java+none");
    JsonNode rungs = result.get("summary");
    assertThat(rungs).hasSize(SystemList.of("ladder").entries().size());
    for (JsonNode rung : rungs) {
      assertThat(rung.get("status").asText()).isIn("ok", "skipped");
      boolean isSkipped = rung.get("status").asText().equals("skipped");
      assertThat(rung.get("reason").isNull()).as(rung.toString()).isNotEqualTo(isSkipped);
      assertThat(rung.get("sqMedianS").isNull()).isEqualTo(isSkipped);
    }
    assertThat(result.get("runs").get(0).get("group").asInt()).isEqualTo(1);
    assertThat(result.get("runs").get(0).get("system").asText()).isEqualTo("grpc:java+none");
    assertThat(folder.resolve("kept/report.html"))
        .content()
        .contains("What each rung brings", "gain x", rungs.get(1).get("change").asText());
  }
}
