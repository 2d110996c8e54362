package io.drayage.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.bench.result.Measurement;
import io.drayage.bench.result.Run;
import io.drayage.bench.result.Runs;
import io.drayage.bench.result.Warmth;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TerminalTextTest {
  private static final String TUNED = "grpc-tuned:raw+none@cores";
  private static final String LONG = "netty-io_uring:columnar+zstd:1@cores";

  @TempDir private Path folder;

  /** Seven turns of three systems, one of them disturbed. */
  private static Measurement measured() {
    List<Run> runs = new ArrayList<>();
    for (int i = 1; i <= 7; i++) {
      boolean isDisturbed = i == 3;
      double others = isDisturbed ? 40 : 2;
      runs.add(Runs.ok(KeptRuns.BASE, i, 1280 + 10 * i).withOthers(others, isDisturbed));
      runs.add(Runs.ok(TUNED, i, isDisturbed ? 900 : 490 + 3 * i).withOthers(others, isDisturbed));
      runs.add(Runs.ok(KeptRuns.FAST, i, 210 + 3 * i).withOthers(2, false));
    }
    Map<String, Warmth> warmth = new HashMap<>();
    warmth.put(KeptRuns.BASE, new Warmth(true, null, 3.1));
    warmth.put(TUNED, new Warmth(true, null, 2.2));
    warmth.put(KeptRuns.FAST, new Warmth(false, "the compiler still had 20 %", 1.4));
    return new Measurement(runs, warmth);
  }

  private List<String> text(Measurement measured, boolean isVerbose, Charset charset)
      throws IOException {
    Path kept = KeptRuns.keep(folder.resolve("kept"), "loopback", measured);
    return TerminalText.of(ReportRun.read(kept), isVerbose, charset);
  }

  @Test
  void showsATableABarASystemAndTheVerdictLast() throws Exception {
    assertThat(String.join("\n", text(measured(), false, StandardCharsets.UTF_8)))
        .isEqualTo(
            """
            system                     S+Q s  commit s  GB/s  CPU s/GB      S+Q x (95 %)   commit x (95 %)
            grpc:java+none             1.325     1.425  0.08      7.50              1.00              1.00
            grpc-tuned:raw+none@cores  0.504     0.603  0.20      7.50  2.63 (2.61-2.65)  2.36 (2.34-2.38)
            netty:raw+none@2           0.222     0.322  0.45      7.50  5.94 (5.81-6.07)  4.41 (4.37-4.45)
            medians; x: times as fast as grpc:java+none, with the interval of 95 % confidence

            seconds, less is better: █ S+Q, ░ the rest of the commit
            grpc:java+none             ████████████████████████████████████████████████░░░░ 1.42
            grpc-tuned:raw+none@cores  ██████████████████░░░░ 0.60
            netty:raw+none@2           ████████░░░░ 0.32

            21 of 21 runs ok, digests equal
            not warm, netty:raw+none@2: the compiler still had 20 %
            others kept 6 % of the CPUs busy; left out: 2 disturbed runs

            CANNOT BE TOLD: NOT WARM: netty:raw+none@2 (the compiler could still change a ratio by at most 7 %).
            So far: netty:raw+none@2 is 5.94 times as fast as grpc:java+none in S+Q (95 % interval 5.81 to
            6.07). The commit into memory is 4.41 times as fast (4.37 to 4.45). From 6 turns.\
            """);
  }

  @Test
  void saysOnceWhyASystemIsLost() throws Exception {
    List<Run> runs = new ArrayList<>();
    for (int i = 0; i <= 3; i++) {
      if (i > 0) { // A warm-up is listed only if it failed.
        runs.add(Runs.ok(KeptRuns.BASE, i, 1280));
      }
      runs.add(Run.failed(KeptRuns.FAST, i, "not run, the system was lost before: no room"));
    }
    runs.add(Run.failed(KeptRuns.BASE, 4, "gone"));
    assertThat(text(Measurement.of(runs), false, StandardCharsets.US_ASCII))
        .filteredOn(line -> line.startsWith("FAILED "))
        .containsExactly(
            "FAILED netty:raw+none@2, warm-up and 3 more turns: not run, the system was lost before: no room",
            "FAILED grpc:java+none, turn 4: gone");
  }

  @Test
  void showsBarsWithoutUnicodeToo() throws Exception {
    assertThat(text(measured(), false, StandardCharsets.US_ASCII))
        .contains("seconds, less is better: # S+Q, . the rest of the commit")
        .allMatch(StandardCharsets.US_ASCII.newEncoder()::canEncode)
        .allMatch(line -> line.length() <= 100);
  }

  @Test
  void addsDetailsIfVerbose() throws Exception {
    assertThat(text(measured(), true, StandardCharsets.UTF_8))
        .anyMatch(line -> line.startsWith("cost") && line.contains("first commit s"))
        .anyMatch(line -> line.contains("worker encode 15 % of 2 threads"));
  }

  @Test
  void marksASystemThatFailedAndInventsNoFigures() throws Exception {
    List<String> lines =
        text(
            Measurement.of(List.of(Runs.ok(KeptRuns.BASE, 1, 1000), Run.failed(LONG, 1, "gone"))),
            false,
            StandardCharsets.UTF_8);
    assertThat(lines.get(2).split(" +"))
        .containsExactly(LONG, "FAILED", "-", "-", "-", "-", "-", "-");
    assertThat(lines).contains("FAILED " + LONG + ", turn 1: gone");
  }
}
