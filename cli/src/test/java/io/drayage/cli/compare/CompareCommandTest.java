package io.drayage.cli.compare;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.drayage.bench.ByteSize;
import io.drayage.bench.compare.ComparedMetric;
import io.drayage.bench.report.KeptRuns;
import io.drayage.bench.result.Run;
import io.drayage.bench.result.Runs;
import io.drayage.cli.CommandFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class CompareCommandTest extends CommandFixture {
  private static final int REGRESSION = 3;

  /** Makes three runs of a side, with some per cent of noise: {@code a,b,c} as users write it. */
  private String kept(String name, long byMs) throws IOException {
    List<String> paths = new ArrayList<>();
    for (int run = 0; run < 3; run++) {
      paths.add(kept(name + run, runs(byMs, run)));
    }
    return String.join(",", paths);
  }

  private String kept(String name, List<Run> runs) throws IOException {
    return KeptRuns.keep(folder.resolve(name), "loopback", runs).toString();
  }

  private static List<Run> runs(long byMs, int run) {
    List<Run> runs = new ArrayList<>();
    for (int i = 1; i <= 5; i++) {
      runs.add(Runs.ok(KeptRuns.BASE, i, 1280 + 10 * i + 9 * run));
      runs.add(Runs.ok(KeptRuns.FAST, i, 210 + 3 * i + 2 * run + byMs));
    }
    return runs;
  }

  private String compare(int code, String... arguments) {
    return said(code, "compare " + String.join(" ", arguments));
  }

  @Test
  void findsNoDifferenceBetweenRunsOfOneBuild() throws Exception {
    compare(0, kept("before", 0), kept("after", 1));
    assertThat(lastLine())
        .startsWith("commit of netty:raw+none@2: no relevant change, +0.3 % (99 % interval ")
        .endsWith(" %, within 10 %)");
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void countsARunOnceHoweverItIsNamed() throws Exception {
    Path one = Path.of(kept("one", runs(0, 0)));
    Path file = one.resolve("run.json");
    Path link = Files.createSymbolicLink(folder.resolve("link"), one);
    Path copy = Files.copy(file, folder.resolve("copy.json"));
    Path here = Path.of("").toAbsolutePath();
    Path relative = here.relativize(file);
    String after = kept("after", 60);
    for (Path other : List.of(one, file, relative, one.resolve("../one"), link, copy)) {
      said(1, "compare %s,%s,%s %s".formatted(one, other, other, after));
      assertThat(lastLine()).contains("1 and 3 warm runs or launches are too few");
      assertThat(err.toString())
          .contains("in BASE is the same run as %s: counted once".formatted(file));
    }
    assertThat(compare(1, after, "%s,%s".formatted(one, copy)))
        .contains("%s in NEW is the same run as".formatted(copy));
  }

  @Test
  void refusesARunOnBothSides() throws Exception {
    String before = kept("before", 0);
    String after = kept("after", 60);
    Path copy =
        Files.copy(folder.resolve("before1").resolve("run.json"), folder.resolve("copy.json"));
    assertThat(compare(2, before, after + "," + copy))
        .contains("BASE and NEW have the same run, ", "before1", "and " + copy)
        .contains(": compare it with others");
    assertThat(out.toString()).isEmpty();
  }

  /** Makes three runs of a side, whose commits last 100 ms more than each of these. */
  private String scattered(String name, long... sqMs) throws IOException {
    List<String> paths = new ArrayList<>();
    for (long ms : sqMs) {
      List<Run> runs = List.of(Runs.ok(KeptRuns.FAST, 1, ms));
      paths.add(kept(name + paths.size(), runs));
    }
    return String.join(",", paths);
  }

  @Test
  void cannotTellIfTheIntervalContainsAChangeThatMatters() throws Exception {
    String before = scattered("before", 900, 901, 902, 903, 904);
    String wide = scattered("wide", 898, 897, 899, 905, 400);
    compare(1, before, wide);
    assertThat(lastLine())
        .startsWith("commit of netty:raw+none@2: cannot be told, -13.")
        .endsWith(", beyond 10 %: use more runs, or a larger --within)");
    compare(0, before, wide, "--within", "100");
    assertThat(lastLine()).contains(": no relevant change, ").endsWith(", within 100 %)");

    String little = scattered("little", 920, 921, 922, 923, 924);
    compare(0, before, little);
    assertThat(lastLine()).contains(": no relevant change, +2.").endsWith(", within 10 %)");
    compare(REGRESSION, before, little, "--within", "1");
    compare(REGRESSION, before, little, "--within", "1%");

    String close = scattered("close", 899, 905, 906, 898, 907);
    compare(0, before, close);
    compare(1, before, close, "--within", "0.1");
    assertThat(lastLine()).contains("cannot be told").contains(", beyond 0.1 %:");
    compare(2, before, close, "--within", "0");
    assertThat(compare(2, before, close, "--within", "NaN"))
        .contains("--within must be above 0, to 100, not NaN");
    assertThat(compare(2, before, close, "--within", "1%%"))
        .contains("'1%%' is no percentage: write 5, 0.5 or 5%");
  }

  @Test
  void refusesRunsOfAnotherMachineUnlessAsked() throws Exception {
    String before = kept("before", runs(0, 0));
    String other = kept("other", runs(60, 0));
    String moved = with("moved", other, "environment", "cores", "64");
    assertThat(compare(2, before, moved))
        .contains("the cores differs: 2 in BASE, 64 in NEW", "--across-machines");
    assertThat(out.toString()).isEmpty();
    compare(1, before, moved, "--across-machines");
    for (String name : List.of("cpu", "arch", "kernel", "memoryBytes")) {
      String changed = with(name, other, "environment", name, "8000000000");
      assertThat(compare(2, before, changed)).contains("the %s differs".formatted(name));
    }
    String jdk = with("jdk", other, "environment", "jdkVersion", "99");
    compare(1, before, jdk); // The result has a warning.
    String more = with("more", other, "environment", "memoryBytes", "8001000000");
    String less = with("less", before, "environment", "memoryBytes", "8000000000");
    compare(1, less, more); // The runs are of another boot.
  }

  @Test
  void showsControlCharactersOfAFileByTheirNumbers() throws Exception {
    String before = kept("before", runs(0, 0));
    String other = kept("other", runs(60, 0));
    String moved = with("moved", other, "environment", "cpu", "a\033[31m\nb");
    assertThat(compare(2, before, moved))
        .contains(" a\\u001B[31m\\u000Ab in NEW")
        .doesNotContain("\033");

    String odd = renamed(other, "\\u001b[31mred");
    String third = renamed(kept("third", runs(0, 1)), "\\u001b[31mred");
    compare(1, odd, third);
    assertThat(out.toString())
        .contains("\\u001B[31mred ", "commit of \\u001B[31mred: ")
        .doesNotContain("\033");
    compare(REGRESSION, before, odd);
    assertThat(out.toString() + err).contains("\\u001B[31mred only in NEW").doesNotContain("\033");
  }

  /** Renames the fast system. */
  private static String renamed(String kept, String to) throws IOException {
    Path file = Path.of(kept, "run.json");
    Files.writeString(file, Files.readString(file).replace(KeptRuns.FAST, to));
    return kept;
  }

  @Test
  void theCommitOfTheFastestSystemDecides() throws Exception {
    String before = kept("before", 0);
    String after = kept("after", 60);
    Path json = folder.resolve("compared.json");
    int code = run("compare", before, after, "--json=" + json);
    assertThat(code).as(err.toString()).isEqualTo(REGRESSION);
    assertThat(lastLine())
        .startsWith("REGRESSION: commit of netty:raw+none@2: worse, +18.7 % (99 % interval");
    assertThat(out.toString()).containsOnlyOnce("decides");

    JsonNode kept = json(json);
    assertThat(kept.get("schema").asInt()).isEqualTo(1);
    assertThat(kept.get("summary")).hasSize(2 * ComparedMetric.values().length - 1);
    assertThat(kept.get("regression").asBoolean()).isTrue();
    JsonNode decisive = kept.get("decisive");
    assertThat(decisive.get("system").asText()).isEqualTo(KeptRuns.FAST);
    assertThat(decisive.get("metric").asText()).isEqualTo("commit");
    assertThat(decisive.get("baseCount").asInt()).isEqualTo(3);
    assertThat(decisive.get("verdict").asText()).isEqualTo("worse");
  }

  @Test
  void anotherCellDecidesIfTheUserNamesIt() throws Exception {
    String before = kept("before", 0);
    String after = kept("after", 60);
    compare(0, before, after, "--system", KeptRuns.BASE);
    assertThat(lastLine()).startsWith("commit of grpc:java+none: no relevant change");
    compare(0, before, after, "--metric", "wire");
    compare(REGRESSION, before, after, "--metric", "sq");
    assertThat(lastLine()).startsWith("REGRESSION: sq of netty:raw+none@2: worse, +27.");
  }

  @Test
  void becomingFasterIsNoRegression() throws Exception {
    compare(0, kept("before", 0), kept("after", -60));
    assertThat(lastLine()).startsWith("commit of netty:raw+none@2: better, -18.7 %");
  }

  @Test
  void theLaunchesOfOneRunAreAsGoodAsSeveralRuns() throws Exception {
    String before = kept("before", launches(0));
    compare(REGRESSION, before, kept("after", launches(60)));
    compare(0, before, kept("close", launches(1)));
  }

  private static List<Run> launches(long byMs) {
    List<Run> runs = new ArrayList<>();
    for (int launch = 1; launch <= 3; launch++) {
      for (Run run : runs(byMs, launch)) {
        runs.add(run.inLaunch(launch, 5 * (launch - 1)));
      }
    }
    return runs;
  }

  @Test
  void whatWasNotWarmDecidesNothing() throws Exception {
    List<Run> cold = launches(300).stream().map(run -> run.withWarm(run.launch() > 1)).toList();
    String before = kept("before", launches(0));
    compare(1, before, kept("after", cold));
    assertThat(lastLine()).contains("3 and 2 warm runs or launches are too few");
    assertThat(err.toString()).contains("netty:raw+none@2 in NEW was not warm once: left out");
    List<Run> frozen = launches(300).stream().map(run -> run.withWarm(false)).toList();
    compare(1, before, kept("frozen", frozen));
    assertThat(lastLine()).contains("was not measured warm in BASE and in NEW");
  }

  @Test
  void aSystemThatFailsNowIsARegression() throws Exception {
    String before = kept("before", 0);
    String after = kept("after", 1) + "," + kept("failed", failing());
    compare(REGRESSION, before, after);
    assertThat(lastLine()).startsWith("REGRESSION: netty:raw+none@2 failed; commit of");
  }

  private static List<Run> failing() {
    List<Run> failing = runs(0, 0);
    failing.add(Run.failed(KeptRuns.FAST, 6, "gone"));
    return failing;
  }

  /** Changes a field in each run of a side. */
  private static String altered(String kept, String field, String to) throws IOException {
    for (String each : kept.split(",", -1)) {
      Path file = Files.isDirectory(Path.of(each)) ? Path.of(each, "run.json") : Path.of(each);
      String text = Files.readString(file);
      String altered = text.replaceAll("(\"%s\" ?: ?)[^,}]+".formatted(field), "$1" + to);
      assertThat(altered).isNotEqualTo(text);
      Files.writeString(file, altered);
    }
    return kept;
  }

  @Test
  void anotherCargoThatArrivesIsAFailure() throws Exception {
    String before = kept("before", 0);
    String after = kept("after", 1) + "," + kept("corrupt", corrupt(KeptRuns.FAST));
    compare(REGRESSION, before, after);
    assertThat(lastLine()).startsWith("REGRESSION: netty:raw+none@2 failed; commit of");

    String added = kept("added", 1) + "," + kept("new", corrupt("netty:raw+lz4@2"));
    compare(REGRESSION, before, added);
    assertThat(lastLine()).startsWith("REGRESSION: netty:raw+lz4@2 failed");

    String failing = before + "," + kept("failing", failing());
    compare(REGRESSION, failing, after); // Another failure in BASE excuses nothing.
  }

  private static List<Run> corrupt(String system) {
    List<Run> runs = runs(0, 3);
    runs.add(Runs.corrupt(system, 6, 220));
    return runs;
  }

  @Test
  void refusesABaseInWhichAnotherCargoArrived() throws Exception {
    String corrupt = kept("corrupt", corrupt(KeptRuns.FAST));
    String before = kept("before", 0) + "," + corrupt;
    assertThat(compare(2, before, kept("after", 1)))
        .contains(
            "%s/run.json: netty:raw+none@2 of BASE got another cargo than was sent in iteration 6"
                .formatted(corrupt));
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void refusesAResultThatContradictsItselfOnEitherSide() throws Exception {
    String wrong = altered(kept("wrong", runs(0, 3)), "digestOk", "false");
    String before = kept("before", 0);
    String after = kept("after", 1);
    for (List<String> sides :
        List.of(List.of(before + "," + wrong, after), List.of(before, after + "," + wrong))) {
      assertThat(compare(1, sides.get(0), sides.get(1)))
          .contains(wrong + "/run.json: digestOk of grpc:java+none, iteration 1, is false");
      assertThat(out.toString()).isEmpty();
    }
  }

  @Test
  void aSystemThatSomeRunOfASideLacksCannotBeTold() throws Exception {
    String before = kept("before", 0);
    String other = kept("other", 2);
    String lacking = kept("lacking", without(KeptRuns.BASE, 0));
    String after = kept("after", 1) + "," + lacking;
    assertThat(compare(1, before, after)).contains("the baseline differs");
    assertThat(lastLine())
        .startsWith(
            "cannot be told: grpc:java+none is missing in %s/run.json of NEW; commit of"
                .formatted(lacking))
        .contains("netty:raw+none@2: no relevant change");
    compare(1, after, other);
    assertThat(lastLine()).contains("is missing in %s/run.json of BASE".formatted(lacking));

    String worse = kept("worse", 60) + "," + kept("shorter", without(KeptRuns.BASE, 60));
    compare(REGRESSION, before, worse);
    assertThat(lastLine()).contains("is missing in ", "; REGRESSION: commit of netty:raw+none@2");
  }

  private static List<Run> without(String system, long byMs) {
    return runs(byMs, 3).stream().filter(run -> !run.system().equals(system)).toList();
  }

  @Test
  void aTurnThatASystemLacksCannotBeTold() throws Exception {
    List<Run> shorter =
        runs(1, 3).stream()
            .filter(run -> run.iteration() != 3 || !run.system().equals(KeptRuns.FAST))
            .toList();
    String gap = kept("gap", shorter);
    compare(1, kept("before", 0), kept("after", 1) + "," + gap);
    assertThat(lastLine())
        .startsWith(
            "cannot be told: netty:raw+none@2 lacks iteration 3 in %s/run.json of NEW; commit of"
                .formatted(gap));
  }

  @Test
  void refusesAnotherNumberOfRawBytes() throws Exception {
    String before = kept("before", 0);
    String after = altered(kept("after", 1), "rawBytes", "100000001");
    assertThat(compare(2, before, after))
        .contains(
            "the raw bytes of grpc:java+none differ: 100000000 in BASE, 100000001 in NEW",
            "compare runs of the same cargo");
    assertThat(out.toString()).isEmpty();
    compare(2, before + "," + altered(kept("one", runs(0, 3)), "rawBytes", "5"), kept("last", 2));
  }

  @Test
  void ratiosToAnotherBaselineCannotBeTold() throws Exception {
    String third = "netty:raw+lz4@2";
    List<String> sides = new ArrayList<>();
    for (String name : List.of("before", "after")) {
      List<String> paths = new ArrayList<>();
      for (int run = 0; run < 3; run++) {
        List<Run> runs = runs(0, run);
        for (int i = 1; i <= 5; i++) {
          runs.add(Runs.ok(third, i, 300 + run + sides.size()));
        }
        paths.add(kept(name + run, runs));
      }
      sides.add(String.join(",", paths));
    }
    String after = altered(sides.get(1), "baseline", "\"%s\"".formatted(KeptRuns.FAST));
    assertThat(compare(1, sides.get(0), after, "--metric", "relative", "--system", third))
        .contains("the baseline differs: grpc:java+none in BASE, netty:raw+none@2 in NEW");
    assertThat(lastLine()).startsWith("relative of netty:raw+lz4@2 was not measured");
  }

  @Test
  void aCommitThatOneSideLacksCannotBeTold() throws Exception {
    String after = altered(kept("after", 1), "commitS", "null");
    compare(1, kept("before", 0), after);
    assertThat(lastLine()).contains("commit of", "not measured", "in NEW");
  }

  @Test
  void aSystemThatIsNoLongerThereIsARegression() throws Exception {
    String before = kept("before", 0);
    List<Run> left = runs(0, 0).stream().filter(one -> one.system().equals(KeptRuns.BASE)).toList();
    String after = kept("after", left);
    assertThat(compare(REGRESSION, before, after)).contains("netty:raw+none@2 only in BASE");
    assertThat(lastLine()).startsWith("REGRESSION: netty:raw+none@2 not in NEW");
  }

  @Test
  void refusesRunsOfAnotherCargoSizeOrLink() throws Exception {
    String before = kept("before", runs(0, 0));
    String slow = KeptRuns.keep(folder.resolve("link"), "1gbit", KeptRuns.runs()).toString();
    assertThat(compare(2, before, slow))
        .contains("the link differs: loopback in BASE, 1gbit in NEW");
    assertThat(out.toString()).isEmpty();

    assertThat(compare(2, before, withConfig("size", before, "size", "1GB")))
        .contains("the cargo differs: thesis 100MB in BASE, thesis 1GB in NEW");
    assertThat(compare(2, before, withConfig("cargo", before, "cargo", "tpch")))
        .contains("the cargo differs: thesis 100MB in BASE, tpch 100MB in NEW");
    assertThat(compare(2, before + "," + slow, kept("after", runs(60, 0))))
        .contains("loopback in BASE, 1gbit in another run of it");

    compare(1, before, withConfig("same", before, "size", "100000KB"));
  }

  private String withConfig(String name, String kept, String key, String value) throws IOException {
    return with(name, kept, "config", key, value);
  }

  private String with(String name, String kept, String part, String key, String value)
      throws IOException {
    ObjectMapper mapper = new ObjectMapper();
    JsonNode result = mapper.readTree(Path.of(kept, "run.json").toFile());
    ((ObjectNode) result.get(part)).put(key, value);
    if (key.equals("size")) {
      ((ObjectNode) result.get(part)).put("sizeBytes", ByteSize.parse(value).bytes());
    }
    Path file = folder.resolve(name + ".json");
    mapper.writeValue(file.toFile(), result);
    return file.toString();
  }

  @Test
  void saysWhichTurnsWereDisturbed() throws Exception {
    List<Run> disturbed = runs(0, 0).stream().map(run -> run.withOthers(40, true)).toList();
    assertThat(compare(1, kept("before", 0), kept("after", disturbed)))
        .contains("netty:raw+none@2 in NEW: 5 of 5 turns were disturbed by others");
  }

  /** Makes builds that copy results from a folder, and note the order of their starts. */
  private void build(String name, long byMs) throws IOException {
    Path build = Files.createDirectories(folder.resolve(name));
    kept(name + "/kept-", byMs);
    Path launcher = build.resolve("drayage");
    Files.writeString(
        launcher,
        """
        #!/bin/sh
        cd "$(dirname "$0")"
        echo "$(basename "$PWD") $*" >>../order
        n=$(grep -c "^$(basename "$PWD") " ../order)
        for out; do :; done
        cp kept-$((n - 1))/run.json "$out/run.json"
        """);
    assertThat(launcher.toFile().setExecutable(true)).isTrue();
  }

  @Test
  void runsTwoBuildsInTurns() throws Exception {
    build("before", 0);
    build("after", 60);
    compare(REGRESSION, "--run ~/before ~/after --runs=3 --out=~/made --system=" + KeptRuns.FAST);
    assertThat(Files.readAllLines(folder.resolve("order")))
        .extracting(line -> line.substring(0, line.indexOf(" --iterations")))
        .containsExactly(
            "before throughput --system netty:raw+none@2 --size 256MB",
            "after throughput --system netty:raw+none@2 --size 256MB",
            "after throughput --system netty:raw+none@2 --size 256MB",
            "before throughput --system netty:raw+none@2 --size 256MB",
            "before throughput --system netty:raw+none@2 --size 256MB",
            "after throughput --system netty:raw+none@2 --size 256MB");
  }

  @Test
  void saysWhatIsWrongWithItsArguments() throws Exception {
    String kept = kept("one", KeptRuns.runs());
    compare(2, kept);
    compare(2, kept, folder.resolve("nowhere").toString());
    assertThat(compare(2, kept + ",," + kept, kept))
        .contains("a name is empty: name the folder of a run");
    assertThat(compare(2, kept, kept, "--metric", "speed"))
        .contains(
            "there is no metric 'speed': name one of sq, commit, relative, wire, cpu, memory");
    assertThat(compare(2, "--run", kept, kept))
        .contains("no build: there is no drayage to start in it");
    String other = kept("other", runs(60, 0));
    compare(1, kept, other, "--system", "netty");
  }
}
