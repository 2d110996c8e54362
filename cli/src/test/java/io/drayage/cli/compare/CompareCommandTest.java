package io.drayage.cli.compare;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.drayage.bench.compare.Metric;
import io.drayage.bench.report.KeptRuns;
import io.drayage.bench.result.Run;
import io.drayage.bench.result.Runs;
import io.drayage.cli.CommandFixture;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class CompareCommandTest extends CommandFixture {
  private static final int REGRESSION = 3;

  private String kept(String name, List<Run> runs) throws IOException {
    return KeptRuns.keep(folder.resolve(name), "loopback", runs).toString();
  }

  private static List<Run> slower(long byMs) {
    List<Run> runs = new ArrayList<>();
    for (int i = 1; i <= 5; i++) {
      runs.add(Runs.ok(KeptRuns.BASE, i, 1280 + 10 * i));
      runs.add(Runs.ok(KeptRuns.FAST, i, 210 + 3 * i + byMs));
    }
    return runs;
  }

  private String lastLine() {
    List<String> lines = out.toString().lines().toList();
    return lines.get(lines.size() - 1);
  }

  @Test
  void findsNoDifferenceBetweenARunAndItself() throws Exception {
    String same = kept("same", KeptRuns.runs());
    assertThat(run("compare", same, same, "--fail-if", "sq +5%")).as(err.toString()).isZero();
    assertThat(lastLine()).isEqualTo("no difference; no regression (sq +5%)");
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void endsWithThreeOnARegression() throws Exception {
    String before = kept("before", KeptRuns.runs());
    String after = kept("after", slower(22));
    Path json = folder.resolve("compared.json");
    int code =
        run("compare", before, after, "--fail-if=sq +5%", "--fail-if=wire +1%", "--json=" + json);
    assertThat(code).as(err.toString()).isEqualTo(REGRESSION);
    assertThat(lastLine()).isEqualTo("REGRESSION: netty:raw+none@2 sq +10.0 %");
    assertThat(out.toString()).contains("grpc:java+none").contains("no difference");

    JsonNode kept = new ObjectMapper().readTree(json.toFile());
    assertThat(kept.get("schema").asInt()).isEqualTo(1);
    assertThat(kept.get("summary")).hasSize(2 * Metric.values().length - 1);
    JsonNode regression = kept.get("regressions").get(0);
    assertThat(regression.get("system").asText()).isEqualTo(KeptRuns.FAST);
    assertThat(regression.get("metric").asText()).isEqualTo("sq");
    assertThat(regression.get("verdict").asText()).isEqualTo("worse");
  }

  @Test
  void aSlowerMachineChangesTheTimesButNotTheRelativeOnes() throws Exception {
    List<Run> slower = new ArrayList<>();
    for (int i = 1; i <= 5; i++) {
      slower.add(Runs.ok(KeptRuns.BASE, i, 2L * (1280 + 10 * i)));
      slower.add(Runs.ok(KeptRuns.FAST, i, 2L * (210 + 3 * i)));
    }
    String before = kept("before", KeptRuns.runs());
    String after = kept("after", slower);
    assertThat(run("compare", before, after, "--fail-if", "sq +5%")).isEqualTo(REGRESSION);
    assertThat(run("compare", before, after, "--fail-if", "relative +5%")).isZero();
  }

  @Test
  void aRegressionWithinTheLimitIsNone() throws Exception {
    String before = kept("before", KeptRuns.runs());
    assertThat(run("compare", before, kept("after", slower(22)), "--fail-if", "sq +15%")).isZero();
    assertThat(lastLine())
        .contains("netty:raw+none@2 sq +10.0 %")
        .endsWith("no regression (sq +15%)");
  }

  @Test
  void becomingFasterIsNoRegression() throws Exception {
    String before = kept("before", KeptRuns.runs());
    assertThat(run("compare", before, kept("after", slower(-100)), "--fail-if", "sq +0%")).isZero();
    assertThat(lastLine()).contains("netty:raw+none@2 sq -45.7 %");
  }

  @Test
  void aSystemThatFailsNowIsARegression() throws Exception {
    List<Run> failing = slower(0);
    failing.add(Run.failed(KeptRuns.FAST, 6, "gone"));
    String before = kept("before", KeptRuns.runs());
    String after = kept("after", failing);
    assertThat(run("compare", before, after)).isZero();
    assertThat(run("compare", before, after, "--fail-if", "sq +5%")).isEqualTo(REGRESSION);
    assertThat(lastLine()).isEqualTo("REGRESSION: netty:raw+none@2 failed");
  }

  @Test
  void aSystemThatIsNoLongerThereIsARegression() throws Exception {
    String before = kept("before", KeptRuns.runs());
    List<Run> left =
        KeptRuns.runs().stream().filter(one -> one.system().equals(KeptRuns.BASE)).toList();
    String after = kept("after", left);
    assertThat(run("compare", before, after)).isZero();
    assertThat(err.toString()).contains("netty:raw+none@2 only in BASE");
    assertThat(run("compare", before, after, "--fail-if", "sq +5%")).isEqualTo(REGRESSION);
    assertThat(lastLine()).isEqualTo("REGRESSION: netty:raw+none@2 not in NEW");
    assertThat(run("compare", after, before, "--fail-if", "sq +5%")).isZero();
  }

  @Test
  void aSystemOfWhichNoRunIsLeftIsARegressionEvenIfSomeFailedBefore() throws Exception {
    List<Run> sometimes = KeptRuns.runs();
    sometimes.add(Run.failed(KeptRuns.FAST, 6, "gone"));
    List<Run> never = new ArrayList<>(KeptRuns.runs());
    never.removeIf(one -> one.system().equals(KeptRuns.FAST));
    never.add(Run.failed(KeptRuns.FAST, 1, "gone"));
    int code = run("compare", kept("before", sometimes), kept("after", never), "--fail-if=sq +5%");
    assertThat(code).isEqualTo(REGRESSION);
    assertThat(lastLine()).isEqualTo("REGRESSION: netty:raw+none@2 failed");
  }

  @Test
  void holdsNothingAgainstARunOfAnotherCargoSizeOrLink() throws Exception {
    String before = kept("before", KeptRuns.runs());
    String slow = KeptRuns.keep(folder.resolve("link"), "1gbit", KeptRuns.runs()).toString();
    assertThat(run("compare", before, slow, "--fail-if", "sq +5%")).isEqualTo(2);
    assertThat(err.toString().lines())
        .hasSize(1)
        .first()
        .asString()
        .contains("--fail-if: the link differs: loopback in BASE, 1gbit in NEW");
    assertThat(out.toString()).isEmpty();

    String larger = withConfig("size", before, "size", "1GB");
    assertThat(run("compare", before, larger, "--fail-if", "sq +5%")).isEqualTo(2);
    assertThat(err.toString())
        .contains("the cargo differs: thesis 100MB in BASE, thesis 1GB in NEW");
    String other = withConfig("cargo", before, "cargo", "tpch");
    assertThat(run("compare", before, other, "--fail-if", "sq +5%")).isEqualTo(2);
    assertThat(err.toString())
        .contains("the cargo differs: thesis 100MB in BASE, tpch 100MB in NEW");

    String same = withConfig("same", before, "size", "100000KB");
    assertThat(run("compare", before, same, "--fail-if", "sq +5%")).isZero();
  }

  private String withConfig(String name, String kept, String key, String value) throws IOException {
    ObjectMapper mapper = new ObjectMapper();
    JsonNode result = mapper.readTree(Path.of(kept, "run.json").toFile());
    ((ObjectNode) result.get("config")).put(key, value);
    Path file = folder.resolve(name + ".json");
    mapper.writeValue(file.toFile(), result);
    return file.toString();
  }

  @Test
  void doesNotPassWhatItCannotTell() throws Exception {
    String before = kept("before", KeptRuns.runs().subList(0, 6));
    String after = kept("after", slower(0).subList(0, 6));
    assertThat(run("compare", before, after)).isZero();
    assertThat(run("compare", before, after, "--fail-if", "sq +5%")).isEqualTo(1);
    assertThat(lastLine()).startsWith("too few turns to tell: at least 5");
  }

  @Test
  void doesNotPassWhatWasNotMeasured() throws Exception {
    Path kept = Path.of(kept("before", KeptRuns.runs()));
    ObjectMapper mapper = new ObjectMapper();
    JsonNode result = mapper.readTree(kept.resolve("run.json").toFile());
    result.get("runs").forEach(one -> ((ObjectNode) one).putNull("commitS"));
    Path other = folder.resolve("after.json");
    mapper.writeValue(other.toFile(), result);
    int code = run("compare", kept.toString(), other.toString(), "--fail-if", "commit +5%");
    assertThat(code).isEqualTo(1);
    assertThat(lastLine()).isEqualTo("not measured in both runs, so not checked: commit +5%");
  }

  @Test
  void saysHowTheRunsDifferBesides() throws Exception {
    String before = kept("before", KeptRuns.runs());
    String after = KeptRuns.keep(folder.resolve("after"), "1gbit", KeptRuns.runs()).toString();
    assertThat(run("compare", before, after)).isZero();
    assertThat(err.toString()).contains("the link differs: loopback in BASE, 1gbit in NEW");
  }

  @Test
  void saysWhichTurnsWereDisturbed() throws Exception {
    String before = kept("before", KeptRuns.runs());
    List<Run> disturbed = slower(0).stream().map(run -> run.withOthers(40, true)).toList();
    assertThat(run("compare", before, kept("after", disturbed))).isZero();
    assertThat(err.toString())
        .contains("netty:raw+none@2 in NEW: 5 of 5 turns were disturbed by others");
  }

  @Test
  void saysWhatIsWrongWithItsArguments() throws Exception {
    String kept = kept("one", KeptRuns.runs());
    assertThat(run("compare", kept)).isEqualTo(2);
    assertThat(run("compare", kept, folder.resolve("nowhere").toString())).isEqualTo(2);
    assertThat(run("compare", kept, kept, "--fail-if", "speed +5%")).isEqualTo(2);
    assertThat(err.toString())
        .contains(
            "there is no metric 'speed': name one of sq, commit, relative, wire, cpu, memory");
  }
}
