package io.drayage.cli.compare;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.drayage.bench.history.KeptHistory;
import io.drayage.bench.report.KeptRuns;
import io.drayage.bench.result.Runs;
import io.drayage.cli.CommandFixture;
import io.drayage.cli.Drayage;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The commands that read results over time. */
@Timeout(120)
final class HistoryTest extends CommandFixture {
  private static final int RUNS = 20;
  private static final int REGRESSION = 3;

  /** Keeps as many runs under a name as a history has. */
  private void keep(String name, double factor, long seed) throws Exception {
    KeptHistory.keep(folder.resolve("history"), name, RUNS, RUNS / 2, factor, seed);
  }

  @Test
  void thePageNamesTheRunOfASlowdown() throws Exception {
    keep("main", 1.15, 1);
    said(0, "report --history ~/history");
    assertThat(lines()).containsExactly(folder.resolve("history/report.html").toString());
    assertThat(folder.resolve("history/report.html"))
        .content()
        .contains("(2026-11-11 09:00): ")
        .containsOnlyOnce("class=\"verdict ");
    assertThat(folder.resolve("history/main.csv")).content().hasLineCount(1 + RUNS);

    said(0, "report --history ~/history --out ~/page");
    assertThat(folder.resolve("page/main.csv"))
        .hasSameTextualContentAs(folder.resolve("history/main.csv"));
  }

  @Test
  void thePageOfRunsWithoutAChangeMarksNothing() throws Exception {
    keep("main", 1, 1);
    said(0, "report --history ~/history");
    assertThat(folder.resolve("history/report.html"))
        .content()
        .contains("No change in 20 runs")
        .doesNotContain("since run");
  }

  /** Keeps a run beside the history: its launches are the values. */
  private String fresh(String name, double factor) throws Exception {
    KeptHistory.keep(folder, name, 1, 0, factor, 3);
    try (var files = Files.list(folder.resolve(name))) {
      return files.findFirst().orElseThrow().toString();
    }
  }

  @Test
  void comparesWithTheLastRunsOfAName() throws Exception {
    keep("main", 1, 1);
    String slower = fresh("slower", 1.3);
    assertThat(
            said(
                REGRESSION,
                "compare --history ~/history --baseline main %s --json ~/c.json".formatted(slower)))
        .contains("BASE: 10 runs of main in ")
        .contains("REGRESSION: commit of netty:raw+none@2: worse, +");
    JsonNode base = json(folder.resolve("c.json")).at("/config/base");
    assertThat(base).hasSize(10);
    assertThat(base.get(0).asText()).endsWith("2026-11-11T09-00-00Z.json");

    Files.copy(Path.of(slower), folder.resolve("history/main/itself.json"));
    assertThat(said(REGRESSION, "compare --history ~/history --baseline main " + slower))
        .as("NEW is no BASE")
        .doesNotContain("the same run");
  }

  @Test
  void saysWhyThereIsNothingToCompareWith() throws Exception {
    keep("main", 1, 1);
    String other =
        KeptRuns.keep(folder.resolve("other"), "1gbit", List.of(Runs.ok(KeptRuns.FAST, 1, 200)))
            .toString();
    assertThat(said(2, "compare --history ~/history --baseline main " + other))
        .contains("the link differs: loopback in BASE, 1gbit in NEW (BASE is ");
    assertThat(said(2, "compare --history ~/history --baseline nobody " + other))
        .contains("--baseline nobody: no run in ", ": no run is kept under that name");
    assertThat(said(2, "report --history ~/other"))
        .contains("has no runs: keep some with 'throughput --history ");
  }

  /** The workflow that users copy: it is YAML, and the commands exist. */
  @Test
  void theExampleOfAWorkflowHasCommandsThatAreTaken() throws Exception {
    Path file = Path.of("..", "examples", "workflow", "throughput.yml");
    try (Reader reader = Files.newBufferedReader(file)) {
      Object content = new Yaml(new SafeConstructor(new LoaderOptions())).load(reader);
      assertThat(content).asString().contains("runs-on", "actions/checkout", "history");
    }
    List<String> commands =
        Pattern.compile("\\./drayage ([^\\n|]*)")
            .matcher(Files.readString(file))
            .results()
            .map(command -> command.group(1).replaceAll(" \\$\\S+", "").strip())
            .toList();
    assertThat(commands).hasSize(3);
    for (String command : commands) {
      Object unused = Drayage.commandLine().parseArgs(command.split(" +", -1));
    }
  }
}
