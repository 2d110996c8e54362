package io.drayage.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.drayage.cli.Drayage;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** {@code compose.yaml} against our command line and itself. {@code ComposeIT} runs it. */
final class ComposeTest {
  private final ComposeFile compose = readFile();

  private static ComposeFile readFile() {
    try {
      return ComposeFile.read();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void theCommandLineTakesTheArguments() {
    assertThat(compose.services()).filteredOn(compose::isNode).hasSize(4);
    for (String service : compose.services()) {
      if (compose.isNode(service)) {
        List<String> arguments =
            ComposeFile.words((ArrayNode) compose.service(service).get("command"));
        assertThatCode(() -> Drayage.commandLine().parseArgs(arguments.toArray(String[]::new)))
            .as(service)
            .doesNotThrowAnyException();
      }
    }
  }

  @Test
  void nothingIsReachedFromOutside() {
    assertThat(compose.root().at("/networks/cluster/internal").asBoolean()).isTrue();
    for (String service : compose.services()) {
      assertThat(compose.service(service).has("ports")).as(service).isFalse();
      assertThat(compose.service(service).get("networks")).as(service).hasSize(1);
    }
  }

  @Test
  void everyServiceIsChecked() {
    for (String service : compose.services()) {
      assertThat(compose.service(service).at("/healthcheck/test/0").asText()).isEqualTo("CMD");
      if (compose.isNode(service)) {
        assertThat(compose.healthcheck(service)).last().asString().contains("GET /readyz");
      }
    }
  }

  @Test
  void secretsComeFromFiles() {
    for (String service : compose.services()) {
      JsonNode used = compose.service(service).path("secrets");
      assertThat(used).allMatch(name -> compose.root().get("secrets").has(name.asText()));
      assertThat(compose.service(service).path("environment").toString())
          .as(service)
          .doesNotContainIgnoringCase("key")
          .doesNotContainIgnoringCase("password");
    }
    assertThat(compose.root().get("secrets"))
        .allSatisfy(secret -> assertThat(secret.get("file").asText()).startsWith("secrets/"));
  }
}
