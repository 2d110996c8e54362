package io.drayage.bench.throughput;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.drayage.bench.Drayage;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The whole command, with real child JVMs and a tiny cargo. */
final class ThroughputCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir private Path folder;

  private int run(String... args) {
    return Drayage.commandLine()
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(args);
  }

  @Test
  @Timeout(60)
  void comparesTheBaselineWithASegmentedSystem() throws Exception {
    Path json = folder.resolve("result.json");
    int code =
        run(
            "throughput",
            "--size=200KB",
            "--system=grpc:java+none",
            "--system=netty:raw+none@cores",
            "--iterations=1",
            "--warmup=0",
            "--out=" + folder.resolve("kept"),
            "--json=" + json);

    assertThat(code).as(out + "\n" + err).isZero();
    List<String> lines = out.toString().lines().toList();
    assertThat(lines.get(0)).startsWith("system");
    assertThat(lines.get(lines.size() - 1))
        .contains("grpc:java+none", "2 of 2 runs ok, digests equal");
    assertThat(lines.subList(0, lines.size() - 1)).allMatch(line -> line.length() <= 120);
    assertThat(err.toString().lines()).anyMatch(line -> line.startsWith("[4/4] "));

    JsonNode result = new ObjectMapper().readTree(json.toFile());
    assertThat(result.get("schema").asInt()).isEqualTo(1);
    assertThat(result.get("environment").get("commit").isTextual()).isTrue();
    assertThat(result.get("config").get("baseline").asText()).isEqualTo("grpc:java+none");
    assertThat(result.get("runs")).hasSize(2);
    assertThat(result.get("summary")).hasSize(2);
    assertThat(result.get("summary").get(0).get("sqSpeedup").asDouble()).isEqualTo(1.0);
    assertThat(folder.resolve("kept/run.json")).hasSameTextualContentAs(json);
    assertThat(Files.isDirectory(folder.resolve("kept/logs"))).isTrue();
  }
}
