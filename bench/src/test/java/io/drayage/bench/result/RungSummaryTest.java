package io.drayage.bench.result;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.drayage.bench.system.Rung;
import io.drayage.bench.system.SystemList;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class RungSummaryTest {
  private final List<Rung> rungs = SystemList.of("ladder").rungs().subList(0, 3);
  private final String first = rungs.get(0).name();
  private final String second = rungs.get(1).name();

  @Test
  void namesTheTopAndTheLargestStep() {
    List<Run> runs = List.of(Runs.ok(first, 1, 1_000), Runs.ok(second, 1, 400));
    List<RungSummary> summaries =
        RungSummary.of(rungs, Map.of(rungs.get(2).name(), "no such thing"), runs);

    assertThat(Conclusion.ofRungs(summaries, runs))
        .isEqualTo(
            "grpc:java-buffered+none is 2.5x as fast as grpc:java+none (S+Q 0.400 s), the largest"
                + " step is 'buffered reads' (2.50x), 2 of 2 runs ok, 1 rungs skipped, digests"
                + " equal");
    assertThat(RungSummary.table(summaries).toText())
        .anyMatch(line -> line.startsWith("2 grpc:java-buffered+none") && line.contains("2.50"))
        .anyMatch(line -> line.startsWith("skipped 3,") && line.endsWith("no such thing"));
  }

  @Test
  void aRungThatFailedHasNoGain() {
    List<Run> runs = List.of(Runs.ok(first, 1, 1_000), Run.failed(second, 1, "it was too slow"));
    List<RungSummary> summaries = RungSummary.of(rungs.subList(0, 2), Map.of(), runs);

    assertThat(summaries.get(1).outcome().status()).isEqualTo("failed");
    assertThat(summaries.get(1).gain()).isNull();
    assertThat(Conclusion.ofRungs(summaries, List.of())).startsWith("grpc:java+none is 1.0x");
  }

  @Test
  void takesItsFiguresFromTheGroupThatItIsIn() {
    List<Run> runs =
        List.of(
            Runs.ok(first, 1, 1_000).inGroup(1),
            Runs.ok(second, 1, 500).inGroup(1),
            Runs.ok(first, 1, 2_000).inGroup(2),
            Runs.ok(second, 1, 1_900).inGroup(2),
            Runs.ok(rungs.get(2).name(), 1, 400).inGroup(2));
    List<RungSummary> summaries = RungSummary.of(rungs, Map.of(), runs);

    assertThat(summaries).extracting(RungSummary::group).containsExactly(1, 1, 2);
    assertThat(summaries).extracting(RungSummary::gain).containsExactly(null, 2.0, 5.0);
  }

  @Test
  void writesTheNamesThatOthersRead() throws Exception {
    List<Run> runs = List.of(Runs.ok(first, 1, 1_000), Runs.ok(second, 1, 400));
    JsonNode json =
        new ObjectMapper().valueToTree(RungSummary.of(rungs.subList(0, 2), Map.of(), runs).get(1));
    List<String> names = new ArrayList<>();
    json.fieldNames().forEachRemaining(names::add);
    assertThat(names)
        .contains("rung", "name", "change", "over", "overNumber", "status", "reason", "group")
        .contains("sqMedianS", "commitMedianS", "rawMBps", "cpuMedianS", "gain", "sqSpeedup")
        .doesNotContain("ok", "skipped", "figures", "outcome");
  }
}
