package io.drayage.bench.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.drayage.bench.history.Trend.Change;
import io.drayage.bench.page.WellFormed;
import io.drayage.bench.report.KeptRuns;
import io.drayage.bench.report.ReportRun;
import io.drayage.bench.result.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
final class HistoryTest {
  private static final int RUNS = 20;

  @TempDir private Path folder;

  private List<History> histories() throws IOException {
    return History.read(new HistoryFolder(folder));
  }

  private History history() throws IOException {
    List<History> all = histories();
    assertThat(all).hasSize(1);
    return all.get(0);
  }

  private List<Path> files(String name) throws IOException {
    try (var files = Files.list(folder.resolve(name))) {
      return files.sorted().toList();
    }
  }

  /** Changes a text in a file. */
  private static void change(Path file, String from, String to) throws IOException {
    String text = Files.readString(file);
    assertThat(text).contains(from);
    Files.writeString(file, text.replace(from, to));
  }

  private static Map<String, List<Integer>> changes(History history) {
    Map<String, List<Integer>> changes = new TreeMap<>();
    for (Trend trend : history.trends()) {
      if (!trend.changes().isEmpty()) {
        changes.put(trend.name(), trend.changes().stream().map(Change::run).toList());
      }
    }
    return changes;
  }

  @Test
  void findsASlowdownAtItsRunAndNothingElse() throws Exception {
    KeptHistory.keep(folder, "main", RUNS, 10, 1.15, 1);
    assertThat(changes(history()))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "commit of netty:raw+none@2", List.of(10),
                "relative of netty:raw+none@2", List.of(10),
                "sq of netty:raw+none@2", List.of(10)));
  }

  /** Noise may make a run look like those on the other side of the change. */
  @ParameterizedTest
  @ValueSource(longs = {2, 3, 4, 5, 6})
  void findsASlowdownToWithinARunAndItsSize(long seed) throws Exception {
    KeptHistory.keep(folder, "main", RUNS, 10, 1.15, seed);
    History history = history();
    assertThat(changes(history).keySet())
        .containsExactly(
            "commit of netty:raw+none@2", "relative of netty:raw+none@2", "sq of netty:raw+none@2");
    for (Trend trend : history.trends()) {
      for (Change change : trend.changes()) {
        assertThat(change.run()).isBetween(9, 11);
        assertThat(change.difference().changePercent()).isCloseTo(15, within(6.0));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void marksNothingWhereNothingChanged(long seed) throws Exception {
    KeptHistory.keep(folder, "main", RUNS, RUNS, 1, seed);
    assertThat(changes(history())).isEmpty();
  }

  @Test
  void thePageSaysWhatChangedWhenAndByHowMuch() throws Exception {
    KeptHistory.keep(folder, "main", RUNS, 10, 1.15, 1);
    String html = HistoryPage.of(histories()).toHtml();
    assertThat(WellFormed.elements(html, "figure")).hasSize(5 + 6);
    assertThat(html)
        .contains("main: thesis 100MB over loopback, a processor, 2 cores")
        .containsPattern(
            "Since [0-9a-f]{8} \\(2026-11-11 09:00\\): S\\+Q of netty:raw\\+none@2 \\+1")
        .containsPattern("\\+1\\d\\.\\d % since run 11, [0-9a-f]{8} \\(99 % interval \\+")
        .contains("\"kind\":\"trend\"", "href=\"main.csv\"");
  }

  @Test
  void writesATableForOtherTools() throws Exception {
    KeptHistory.keep(folder, "main", 2, 2, 1, 1);
    change(files("main").get(1), "netty:raw+none@2", "netty:raw+\\\"none\\\",@2");
    history().writeTable(folder);
    List<String> lines = Files.readAllLines(folder.resolve("main.csv"));
    assertThat(lines).hasSize(3);
    assertThat(lines.get(0))
        .startsWith("time,commit,sq of grpc:java+none,commit of grpc:java+none,wire of grpc")
        .contains("sq of netty:raw+none@2", ",\"sq of netty:raw+\"\"none\"\",@2\",");
    assertThat(lines.get(1))
        .matches("2026-11-01T09:00:00Z,[0-9a-f]{40},1\\.\\d+,1\\.\\d+,50000000,.*,");
    assertThat(lines.get(2)).startsWith("2026-11-02T09:00:00Z,").contains(",,");
  }

  @Test
  void keepsRunsOfOtherMachinesAndCargoesApart() throws Exception {
    KeptHistory.keep(folder, "main", 6, 6, 1, 1);
    KeptHistory.keep(folder, "other", 1, 1, 1, 1);
    List<Path> files = files("main");
    change(files.get(0), "\"cores\":2", "\"cores\":4");
    change(files.get(3), "\"cores\":2", "\"cores\":4");
    change(files.get(5), "\"sizeBytes\":100000000", "\"sizeBytes\":1000");
    List<History> all = histories();
    assertThat(all)
        .extracting(History::file)
        .containsExactly("main.csv", "main-2.csv", "main-3.csv", "other.csv");
    assertThat(all).extracting(history -> history.runs().size()).containsExactly(1, 3, 2, 1);
    String html = HistoryPage.of(all).toHtml();
    assertThat(html).contains("4 histories, each of one name", "4 cores", "main-3.csv");
  }

  @Test
  void takesNoRatioToAnotherBaseline() throws Exception {
    KeptHistory.keep(folder, "main", 3, 3, 1, 1);
    change(
        files("main").get(2),
        "\"baseline\":\"grpc:java+none\"",
        "\"baseline\":\"netty:raw+none@2\"");
    assertThat(history().trends())
        .extracting(Trend::name)
        .noneMatch(name -> name.startsWith("rel"));
  }

  @Test
  void aRunWithoutASystemLeavesAGap() throws Exception {
    KeptHistory.keep(folder, "main", RUNS, 10, 1.15, 1);
    change(files("main").get(4), "netty:raw+none@2", "netty:raw+none@1");
    assertThat(changes(history())).containsEntry("sq of netty:raw+none@2", List.of(10));
    assertThat(HistoryPage.of(histories()).toHtml()).contains("\"value\":null,\"points\":[]");
  }

  @Test
  void keepsAResultInTheFormOfItsFile() throws Exception {
    HistoryFolder history = new HistoryFolder(folder.resolve("history"));
    Path first = history.keep("main", KeptRuns.result("loopback", KeptRuns.runs()));
    Path second = history.keep("main", KeptRuns.result("loopback", KeptRuns.runs()));
    assertThat(first.getParent()).isEqualTo(folder.resolve("history/main"));
    assertThat(first).isNotEqualTo(second);
    assertThat(second).hasSameTextualContentAs(first);
    assertThat(history.names()).containsExactly("main");
    assertThat(history.runs("main")).as("a copy counts once").hasSize(1);
  }

  @Test
  void theBaselineIsTheLastRunsThatCanBeCompared() throws Exception {
    HistoryFolder history = new HistoryFolder(folder);
    KeptHistory.keep(folder, "main", 14, 14, 1, 1);
    List<Path> files = files("main");
    List<ReportRun> fresh = List.of(ReportRun.read(files.get(13)));
    change(files.get(12), "\"cores\":2", "\"cores\":4");
    List<Run> failing = new ArrayList<>(KeptRuns.runs());
    failing.add(Run.failed(KeptRuns.FAST, 6, "gone"));
    Path failed = KeptRuns.keep(folder.resolve("failed"), "loopback", failing).resolve("run.json");
    Files.move(failed, folder.resolve("main/failed.json"));
    assertThat(history.baseline("main", fresh, false))
        .extracting(ReportRun::file)
        .containsExactlyElementsOf(files.subList(2, 12));
    assertThat(history.baseline("main", fresh, true))
        .extracting(ReportRun::file)
        .containsExactlyElementsOf(files.subList(3, 13));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> history.baseline("none", fresh, false))
        .withMessageContaining("--baseline none: no run in ")
        .withMessageContaining("no run is kept under that name");
    KeptHistory.keep(folder, "big", 1, 1, 1, 2);
    change(files("big").get(0), "\"cores\":2", "\"cores\":64");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> history.baseline("big", fresh, false))
        .withMessageContaining("the cores differs: 64 in BASE, 2 in NEW (BASE is ");
  }

  @Test
  void refusesARunWithoutATime() throws Exception {
    KeptHistory.keep(folder, "main", 1, 1, 1, 1);
    change(files("main").get(0), "2026-11-01T09:00:00Z", "yesterday");
    assertThatThrownBy(this::histories)
        .isInstanceOf(IOException.class)
        .hasMessageContaining(".json has no time of its run (environment.timestamp)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "a/b", "a\\b", "..", ".a", "a:b", "a\nb", "a..b"})
  void refusesANameThatIsNoFolder(String name) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HistoryFolder.requireName("--keep-as", name))
        .withMessageStartingWith("--keep-as '")
        .withMessageContaining("1 to 100 printable characters without / \\ : and ..");
    assertThat(HistoryFolder.requireName("--keep-as", "größer 2.0")).isEqualTo("größer 2.0");
  }
}
