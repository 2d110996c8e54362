package io.drayage.cli.compare;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.drayage.bench.config.SettingsFile;
import io.drayage.cli.CommandFixture;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs the whole command. {@code SearchTest} tests the search. */
final class TuneCommandTest extends CommandFixture {
  @Test
  @Tag("nightly")
  @Timeout(240)
  void recommendsSettingsThatThroughputReads() throws Exception {
    Path config = folder.resolve("drayage.conf");
    Files.writeString(config, "connections = 3\n");
    Path json = folder.resolve("tune.json");
    said(
        0,
        "tune --size=200KB --serializer=raw --compressor=none --threads=1,2 --segment-size=256KiB --connections=1 --write=~/drayage.conf --json=~/tune.json --out=~/out");
    assertThat(out.toString())
        .contains(
            "raw+none",
            "why: ",
            "recommended: raw+none threads ",
            "written to %s (the file that was there is %s.old now)".formatted(config, config));
    assertThat(folder.resolve("drayage.conf.old")).hasContent("connections = 3");
    Map<String, String> tuned = SettingsFile.read(config);
    assertThat(tuned)
        .containsOnlyKeys(
            "system", "worker-threads", "transactor-threads", "segment-size", "connections");
    JsonNode result = json(json);
    assertThat(result.get("schema").asInt()).isEqualTo(1);
    assertThat(result.get("summary")).as("four of the grid, and the untuned one").hasSize(5);
    assertThat(result.get("recommendation").get("settings").get("system").asText())
        .isEqualTo(tuned.get("system"));

    said(
        0,
        "throughput --size=200KB --commit=memory --iterations=1 --warmup=0 --config=~/drayage.conf");
    String threads = tuned.get("worker-threads");
    if (!threads.equals(tuned.get("transactor-threads"))) {
      threads += "/" + tuned.get("transactor-threads");
    }
    assertThat(out.toString())
        .contains("grpc:java+none", "\nnetty:raw+none@%s ".formatted(threads));
  }

  @Test
  void anUnknownOptionInAFileIsWrongUsage() throws Exception {
    Path config = folder.resolve("wrong.conf");
    Files.writeString(config, "thread = 2\n");
    exits(2, "throughput", "--config=" + config);
    assertThat(err.toString()).contains("wrong.conf: no command has an option --thread");
    exits(2, "transactor", "--data=" + folder, "--config=" + config);
  }
}
