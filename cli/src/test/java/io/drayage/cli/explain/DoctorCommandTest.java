package io.drayage.cli.explain;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class DoctorCommandTest {
  private final StringWriter out = new StringWriter();
  private final CommandLine doctor =
      new CommandLine(new DoctorCommand()).setOut(new PrintWriter(out));

  @Test
  void thisMachineRunsThroughput() {
    assertThat(doctor.execute()).isZero();
    assertThat(out.toString().lines()).last().asString().startsWith("ready: ");
    assertThat(out.toString())
        .contains("epoll", "io_uring", "perf events", "namespaces", "snapshots");
  }

  @Test
  void writesJsonOfSchema1(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("doctor.json");

    assertThat(doctor.execute("--json", file.toString())).isZero();

    JsonNode json = new ObjectMapper().readTree(file.toFile());
    assertThat(json.get("schema").asInt()).isEqualTo(1);
    assertThat(json.get("ready").asBoolean()).isTrue();
    assertThat(json.get("environment").get("cores").asInt()).isPositive();
    assertThat(json.get("summary").get(0).get("what").asText()).isEqualTo("native code");
    assertThat(json.get("summary").get(0).get("mark").asText()).isEqualTo("ok");
  }
}
