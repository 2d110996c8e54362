package io.drayage.bench.environment;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class EnvironmentTest {
  private final Environment environment = Environment.capture();

  @Test
  void capturesMachineAndJvm() {
    assertThat(environment.cores()).isPositive();
    assertThat(environment.memoryBytes()).isGreaterThan(1 << 20);
    assertThat(environment.maxHeapBytes()).isPositive();
    assertThat(environment.cpu()).isNotBlank();
    assertThat(environment.kernel()).isNotBlank();
    assertThat(environment.jdkVersion()).isEqualTo(Runtime.version().toString());
    assertThat(Instant.parse(environment.timestamp())).isBeforeOrEqualTo(Instant.now());
  }

  @Test
  void namesTheBuild() {
    assertThat(environment.version()).matches("\\d+\\.\\d+.*");
    assertThat(environment.commit()).matches("[0-9a-f]{40}|unknown");
  }

  @Test
  void readsTheVersionsOfLoadedLibraries() {
    assertThat(environment.libraries()).containsKeys("netty", "jctools", "tpch");
    assertThat(environment.libraries().values()).allMatch(version -> version.matches("\\d+\\..*"));
  }

  @Test
  void isWrittenByJackson() throws Exception {
    JsonNode json = new ObjectMapper().valueToTree(environment);

    assertThat(json.get("cores").asInt()).isEqualTo(environment.cores());
    assertThat(json.get("libraries").get("netty").asText())
        .isEqualTo(environment.libraries().get("netty"));
    assertThat(json.get("jvmFlags").isArray()).isTrue();
  }

  @Test
  void findsTheValueBehindItsKey() {
    List<String> lines = List.of("processor\t: 0", "model name\t: A: B", "model name\t: C");

    assertThat(ProcFiles.value(lines, "model name", ':')).contains("A: B");
    assertThat(ProcFiles.value(lines, "absent", ':')).isEmpty();
  }

  @Test
  void anUnreadableFileIsNoFailure() {
    assertThat(ProcFiles.line("/no/such/file")).isNull();
  }
}
