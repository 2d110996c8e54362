package io.drayage.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import io.drayage.bench.page.WellFormed;
import io.drayage.bench.result.Run;
import io.drayage.bench.result.Runs;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.w3c.dom.Element;

final class ReportTest {
  private static final String HOSTILE = "netty:</script><b onload=alert(1)>'\"&";

  @TempDir private Path folder;

  private String page(Path... kept) throws IOException {
    List<ReportRun> runs = new ArrayList<>();
    for (Path path : kept) {
      runs.add(ReportRun.read(path));
    }
    return Report.of(runs, List.of("logs/1.log")).toHtml();
  }

  private Path kept(String name, String link, List<Run> runs) throws IOException {
    return KeptRuns.keep(folder.resolve(name), link, runs);
  }

  /** Keeps a result with a change. */
  private Path changed(String link, Consumer<ObjectNode> change) throws IOException {
    Path kept = kept("one", link, KeptRuns.runs());
    File file = kept.resolve("run.json").toFile();
    ObjectNode result = (ObjectNode) new ObjectMapper().readTree(file);
    change.accept(result);
    new ObjectMapper().writeValue(file, result);
    return kept;
  }

  /** Returns the charts of a page, by their ids. */
  private static Map<String, JsonNode> charts(String html) throws Exception {
    Map<String, JsonNode> charts = new LinkedHashMap<>();
    for (Element figure : WellFormed.elements(html, "figure")) {
      String json = figure.getElementsByTagName("script").item(0).getTextContent();
      charts.put(figure.getAttribute("data-chart"), new ObjectMapper().readTree(json));
    }
    return charts;
  }

  @Test
  void showsWhatWasMeasured() throws Exception {
    String html = page(kept("one", "loopback", KeptRuns.runs()));
    assertThat(html)
        .contains(
            "netty:raw+none@2 is 5.98 times as fast as grpc:java+none in S+Q (95 % interval",
            "10 of 10 runs ok, digests equal")
        .contains("./drayage throughput --link loopback", "a processor", "logs/1.log");
    Map<String, JsonNode> charts = charts(html);
    assertThat(charts.keySet()).containsExactly("sq", "commit", "phases", "size-sq", "size-commit");
    JsonNode fast = charts.get("sq").get("bars").get(1);
    assertThat(fast.get("name").asText()).isEqualTo(KeptRuns.FAST);
    assertThat(fast.get("tone").asText()).isEqualTo("BEST");
    assertThat(fast.get("value").asDouble()).isEqualTo(0.219);
    assertThat(fast.get("min").asDouble()).isEqualTo(0.213);
    assertThat(fast.get("max").asDouble()).isEqualTo(0.225);
    assertThat(fast.get("points")).hasSize(5);
    assertThat(charts.get("commit").get("bars").get(1).get("value").asDouble()).isEqualTo(0.319);
    assertThat(charts.get("phases").get("parts").findValuesAsText("name"))
        .containsExactly("request", "serialize", "drain", "decode", "apply");
  }

  @Test
  void showsTheStudysLinesBesideOurs() throws Exception {
    JsonNode chart = charts(page(kept("one", "loopback", KeptRuns.runs()))).get("size-sq");
    assertThat(chart.get("x").get("log").asBoolean()).isTrue();
    assertThat(chart.get("y").get("log").asBoolean()).isTrue();
    List<String> names = chart.get("series").findValuesAsText("name");
    assertThat(names).hasSize(2 + 20).contains(KeptRuns.BASE, KeptRuns.FAST, "study: java+none");
    JsonNode published = chart.get("series").get(2);
    assertThat(published.get("tone").asText()).isEqualTo("MAIN");
    assertThat(published.get("points")).hasSize(3);
    assertThat(published.get("points").get(1).get("x").asDouble()).isEqualTo(1005e6);
    assertThat(published.get("points").get(1).get("y").asDouble()).isEqualTo(26.5);
  }

  @Test
  void showsWhatEachRungOfALadderBrings() throws Exception {
    assertThat(page(kept("one", "loopback", KeptRuns.runs())))
        .doesNotContain("What each rung brings");
    String summary =
        """
        [{"rung":1,"system":"grpc:java+none","change":"as published","status":"ok",
          "sqMedianS":1.31,"gain":null,"overNumber":null,"sqSpeedup":1.0},
         {"rung":2,"system":"netty:raw+none@2","change":"all <of> it","status":"ok",
          "sqMedianS":0.219,"gain":5.981,"overNumber":1,"sqSpeedup":5.981},
         {"rung":3,"system":"netty-io_uring:raw+none@2","change":"io_uring","status":"skipped",
          "reason":"not on this kernel","sqMedianS":null,"gain":null,"overNumber":2}]
        """;
    Path kept = changed("loopback", json -> json.putRawValue("summary", new RawValue(summary)));
    assertThat(page(kept))
        .contains("What each rung brings", "all &lt;of&gt; it", "5.98", "not on this kernel");
  }

  @Test
  void leavesTheStudyOutOfAnotherCargo() throws Exception {
    Path kept = changed("loopback", json -> ((ObjectNode) json.get("config")).put("cargo", "tpch"));
    assertThat(charts(page(kept)).get("size-sq").get("series")).hasSize(2);
  }

  @Test
  void showsFailedRunsAsFailed() throws Exception {
    List<Run> runs = KeptRuns.runs();
    runs.add(Run.failed("netty:gone@2", 1, "the worker ended with exit code 137, killed"));
    runs.add(Runs.corrupt(KeptRuns.FAST, 6, 200));
    String html = page(kept("one", "loopback", runs));
    assertThat(html)
        .contains("Failed runs", "exit code 137, killed", "10 of 12 runs ok, digests differ")
        .contains("class=\"verdict bad\"");
    JsonNode bars = charts(html).get("sq").get("bars");
    assertThat(bars.findValuesAsText("tone")).containsExactly("BEST", "FAILED", "FAILED");
    assertThat(bars.get(2).get("value").isNull()).isTrue();
  }

  @Test
  void showsHostileNamesAndErrorsAsText() throws Exception {
    List<Run> runs = KeptRuns.runs();
    runs.add(Runs.ok(HOSTILE, 1, 100));
    runs.add(Run.failed(HOSTILE, 2, "<img src='https://example.org/x'>\u0007"));
    String html = page(kept("one", HOSTILE, runs));
    assertThat(WellFormed.elements(html, "img")).isEmpty();
    assertThat(WellFormed.elements(html, "b")).isEmpty();
    assertThat(html.lines().filter(line -> line.contains("<b onload"))).isEmpty();
    assertThat(charts(html).get("sq").get("bars").get(2).get("name").asText()).isEqualTo(HOSTILE);
  }

  @Test
  void putsSeveralLinksBesideEachOther() throws Exception {
    String html =
        page(
            kept("one", "loopback", KeptRuns.runs()),
            kept("two", "1gbit", KeptRuns.runs()),
            kept("three", "1gbit", KeptRuns.runs()));
    Map<String, JsonNode> charts = charts(html);
    assertThat(charts.keySet())
        .contains("all-sq", "size-sq-1", "size-sq-2", "sq-1", "phases-2", "commit-3")
        .doesNotContain("size-sq-3");
    assertThat(charts.get("all-sq").get("series").findValuesAsText("name"))
        .containsExactly("loopback", "1gbit", "1gbit (2)");
    assertThat(WellFormed.elements(html, "p"))
        .filteredOn(p -> p.getAttribute("class").startsWith("verdict"))
        .hasSize(3);
  }

  @Test
  void showsTheShareOfTheCeiling() throws Exception {
    String ceilings =
        """
        {"iperf3MBps": 117.5, "cores": 2, "systems": [
         {"system": "%s", "wireMBps": 114.1, "wire": 0.97, "processor": 0.2, "binds": "wire"}]}
        """
            .formatted(KeptRuns.FAST);
    Path kept = changed("1gbit", json -> json.putRawValue("ceilings", new RawValue(ceilings)));
    String html = page(kept);
    JsonNode bar = charts(html).get("ceiling").get("bars").get(0);
    assertThat(bar.get("value").asDouble()).isEqualTo(97);
    assertThat(bar.get("label").asText()).isEqualTo("97 %  wire");
    assertThat(html).contains("iperf3 118, frames without a codec not measured");
  }

  @Test
  void showsTheStateOfTheLink() throws Exception {
    Path kept = kept("one", "1gbit", KeptRuns.runs());
    Files.writeString(
        Files.createDirectories(kept.resolve("logs")).resolve("link.log"), "qdisc tbf 1: <root>");
    assertThat(page(kept)).contains("qdisc tbf 1: &lt;root&gt;");
  }

  @Test
  void refusesWhatIsNoResult() throws Exception {
    Path file = Files.writeString(folder.resolve("other.json"), "{\"schema\":1,\"runs\":[]}");
    assertThatThrownBy(() -> ReportRun.read(file))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("holds no run of throughput or ladder");
    Files.writeString(file, "{\"schema\":7}");
    assertThatThrownBy(() -> ReportRun.read(file)).hasMessageContaining("has schema 7");
    Files.writeString(file, "no JSON");
    assertThatThrownBy(() -> ReportRun.read(file)).hasMessageContaining("is not valid JSON");
  }

  @ParameterizedTest
  @CsvSource({
    "sqS, 0",
    "sqS, -1.5",
    "sqS, 5e-324",
    "sqS, 1e300",
    "sqS, 1e999",
    "sqS, \"NaN\"",
    "sqS, \"1\"",
    "sqS, [1]",
    "commitS, 0",
    "commitS, -0.0",
    "commitS, \"NaN\"",
    "downloadedCommitS, -1",
    "rawBytes, 0",
    "wireBytes, -1",
    "wireBytes, 1e99",
    "cpuS, -1",
    "cpuS, \"Infinity\"",
    "workerPeakBytes, -5",
    "transactorPeakBytes, {}"
  })
  void refusesAFigureThatCannotBe(String field, String value) throws Exception {
    assertRefused(field, value, ", iteration 2, is ", ": it must be from ");
  }

  @ParameterizedTest
  @CsvSource({
    "status, \"failed\"",
    "status, \"skipped\"",
    "status, null",
    "digestOk, false",
    "digestOk, null",
    "error, \"gone\"",
    "iteration, 0",
    "iteration, -2",
    "iteration, 1.5",
    "iteration, \"2\"",
    "iteration, null"
  })
  void refusesARunThatContradictsItself(String field, String value) throws Exception {
    assertRefused(field, value, ", ", ", is %s: ".formatted(value));
  }

  private void assertRefused(String field, String value, String where, String why)
      throws Exception {
    Path file = changedRun(run -> run.putRawValue(field, new RawValue(value)));
    assertThatThrownBy(() -> ReportRun.read(file))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("%s: %s of %s%s".formatted(file, field, KeptRuns.FAST, where))
        .hasMessageContaining(why);
  }

  @Test
  void refusesATurnThatIsThereTwice() throws Exception {
    assertRefused(
        run -> run.put("iteration", 1),
        ": %s, iteration 1, is there twice".formatted(KeptRuns.FAST));
  }

  /** Returns the file of a result whose fourth run was changed. */
  private Path changedRun(Consumer<ObjectNode> change) throws IOException {
    Path kept = changed("loopback", json -> change.accept((ObjectNode) json.get("runs").get(3)));
    return kept.resolve("run.json");
  }

  @Test
  void refusesAnyOtherNumberThatIsNotFinite() throws Exception {
    assertRefused(
        run -> ((ObjectNode) run.get("phases")).put("serializeS", "NaN"),
        ": /runs/3/phases/serializeS is \"NaN\": no finite number");
    assertRefused(
        run -> ((ObjectNode) run.get("phases")).putArray("serializeS").add(1),
        ": runs/3/phases/serializeS has a value of the wrong type");
    assertRefused(
        run -> run.remove("phases"), " has a run that lacks figures: its system, or phases");
  }

  private void assertRefused(Consumer<ObjectNode> change, String why) throws IOException {
    Path file = changedRun(change);
    assertThatThrownBy(() -> ReportRun.read(file))
        .isInstanceOf(IOException.class)
        .hasMessage(file + why);
  }

  @Test
  void completesTheFolderOfARun() throws Exception {
    List<Run> runs = KeptRuns.runs();
    runs.add(Run.failed(KeptRuns.FAST, 6, "lost, \"as it says\"\nand more"));
    Path kept = kept("one", "loopback", runs);
    StringWriter err = new StringWriter();
    FinishedRun.complete(ReportRun.read(kept), kept, new PrintWriter(err));

    assertThat(kept).isDirectoryContaining("glob:**/report.html");
    assertThat(err.toString()).contains("no PNG of the charts");
  }
}
