package io.drayage.bench.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ConclusionTest {
  private static final String BASE = "grpc:java+none";
  private static final String FAST = "netty:raw+none@2";

  private static String verdict(Run... runs) {
    List<String> systems = Arrays.stream(runs).map(Run::system).distinct().toList();
    List<Run> all = List.of(runs);
    return Conclusion.of(Summary.of(systems, BASE, Measurement.of(all)), BASE, all);
  }

  @Test
  void namesTheFastestAndByHowMuch() {
    assertThat(verdict(Runs.ok(BASE, 1, 1280), Runs.ok(FAST, 1, 210)))
        .isEqualTo(
            "netty:raw+none@2 is 6.1x as fast as grpc:java+none"
                + " (S+Q 0.21 s against 1.28 s, 476 MB/s), 2 of 2 runs ok, digests equal");
  }

  @Test
  void saysSoIfTheBaselineIsTheFastest() {
    assertThat(verdict(Runs.ok(BASE, 1, 200), Runs.ok(FAST, 1, 400)))
        .startsWith("the baseline grpc:java+none is the fastest (S+Q 0.20 s, 500 MB/s)");
  }

  @Test
  void givesPlainFiguresOfASingleSystem() {
    assertThat(verdict(Runs.ok(BASE, 1, 200)))
        .isEqualTo("grpc:java+none: S+Q 0.20 s, 500 MB/s, 1 of 1 runs ok, digests equal");
  }

  @Test
  void doesNotCompareWithAFailedBaseline() {
    assertThat(verdict(Run.failed(BASE, 1, "gone"), Runs.ok(FAST, 1, 200)))
        .isEqualTo(
            "netty:raw+none@2 is the fastest (S+Q 0.20 s, 500 MB/s),"
                + " but the baseline grpc:java+none failed, 1 of 2 runs ok");
  }

  @Test
  void aSystemThatFailedIsNotTheFastest() {
    assertThat(verdict(Runs.ok(BASE, 1, 200), Runs.ok(FAST, 1, 40), Runs.corrupt(FAST, 2, 40)))
        .startsWith("the baseline grpc:java+none is the fastest")
        .endsWith("2 of 3 runs ok, digests differ");
  }

  @Test
  void saysSoIfNothingWentWell() {
    assertThat(verdict(Run.failed(BASE, 1, "gone")))
        .isEqualTo("no system went well, 0 of 1 runs ok");
  }
}
