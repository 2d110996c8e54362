package io.drayage.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.testing.ProcessResult;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AlertsTest {
  private static final Path SCRIPTS = Path.of("..", "..", "cluster-scripts");

  /** Needs Debian's package prometheus. */
  @ParameterizedTest
  @CsvSource({"check, prometheus/alerts.yaml", "test, test/alerts.yaml"})
  void prometheusTakesTheAlertsAndTheyFire(String command, String file) throws Exception {
    Path promtool = Path.of("/usr/bin/promtool");
    Assumptions.assumeTrue(Files.isExecutable(promtool), promtool + " is not installed");
    ProcessBuilder builder =
        new ProcessBuilder(promtool.toString(), command, "rules", SCRIPTS.resolve(file).toString());
    assertThat(ProcessResult.of(builder, 50).succeeded()).contains("SUCCESS");
  }
}
