package io.drayage.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.bench.result.Measurement;
import io.drayage.bench.result.Run;
import io.drayage.bench.result.Runs;
import io.drayage.bench.result.Summary;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SummaryTablesTest {
  private static final String BASE = "grpc:java+none";
  private static final String LONG = "netty-io_uring:columnar+zstd:1@cores";

  private static List<String> table(Run... runs) {
    List<Summary> summaries = Summary.of(List.of(BASE, LONG), BASE, Measurement.of(List.of(runs)));
    List<String> lines = new ArrayList<>(SummaryTables.systems(summaries, BASE).toText());
    lines.addAll(SummaryTables.remarks(summaries));
    return lines;
  }

  @Test
  void alignsItsColumnsWithin120Characters() {
    List<String> lines = table(Runs.ok(BASE, 1, 92_280), Runs.ok(LONG, 1, 210));
    assertThat(lines).allMatch(line -> line.length() <= 120);
    assertThat(lines.subList(0, 3)).extracting(String::length).containsOnly(lines.get(0).length());
    assertThat(lines.get(2)).startsWith(LONG).contains("0.210 (0.210-0.210)", "476", "30/20");
  }

  @Test
  void namesTheBusiestStageOfEachSystemThatHasOne() {
    assertThat(remarks(Runs.ok(BASE, 1, 1000), Run.failed(LONG, 1, "gone")))
        .last()
        .isEqualTo("  " + BASE + ": worker encode 20 % of 2 threads");
    assertThat(remarks(Run.failed(BASE, 1, "gone"))).noneMatch(line -> line.contains("busiest"));
  }

  private static List<String> remarks(Run... runs) {
    return SummaryTables.remarks(
        Summary.of(List.of(BASE, LONG), BASE, Measurement.of(List.of(runs))));
  }

  @Test
  void marksASystemThatFailedAndInventsNoFigures() {
    List<String> lines = table(Runs.ok(BASE, 1, 1000), Run.failed(LONG, 1, "gone"));
    assertThat(lines.get(2).split(" +"))
        .containsExactly(LONG, "FAILED", "-", "-", "-", "-", "-/-", "-", "-", "-");
  }
}
