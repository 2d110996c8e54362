package io.drayage.bench.result;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.drayage.bench.system.Rung;
import io.drayage.bench.system.SystemOptions;
import io.drayage.bench.table.Format;
import io.drayage.bench.table.Table;
import io.drayage.bench.table.TableBuilder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What one rung of a ladder brings. All figures are from one group, in which the rung, the rung
 * that it is compared with and the baseline took turns. Written by Jackson as it is; what was not
 * measured is null.
 *
 * @param rung its number, from 1
 * @param name what runs call it
 * @param change what is different from {@code over}
 * @param system its notation
 * @param options what the notation does not tell
 * @param overNumber the number of the rung that it is compared with; null for the first
 * @param outcome how it went
 * @param group the number of the group that its figures come from, from 1
 * @param figures times, bytes and speedups over the first rung
 * @param gain S+Q of the rung that it is compared with over this one's, by their medians
 * @param runsOk how many runs went well
 * @param runsFailed how many did not
 */
public record RungSummary(
    int rung,
    String name,
    String change,
    String system,
    SystemOptions options,
    @Nullable Integer overNumber,
    @JsonUnwrapped Outcome outcome,
    @Nullable Integer group,
    @JsonUnwrapped Figures figures,
    @Nullable Double gain,
    int runsOk,
    int runsFailed) {
  private static final String OK = "ok";
  private static final String SKIPPED = "skipped";

  /**
   * How a rung went.
   *
   * @param over the name of the rung that it is compared with; null for the first
   * @param status {@code ok}, {@code failed} or {@code skipped}
   * @param reason why it was skipped
   */
  public record Outcome(@Nullable String over, String status, @Nullable String reason) {}

  /**
   * One per rung, in their order.
   *
   * @param skipped rungs that this machine cannot run, and why
   * @param runs all of them, with their groups
   */
  public static List<RungSummary> of(
      List<Rung> rungs, Map<String, String> skipped, List<Run> runs) {
    Map<String, Integer> numbers = new HashMap<>();
    List<RungSummary> summaries = new ArrayList<>();
    for (Rung rung : rungs) {
      numbers.put(rung.name(), numbers.size() + 1);
      Integer over = rung.isFirst() ? null : numbers.get(rung.over());
      summaries.add(of(rung, numbers.size(), over, rungs.get(0).name(), skipped, runs));
    }
    return List.copyOf(summaries);
  }

  private static RungSummary of(
      Rung rung,
      int number,
      @Nullable Integer overNumber,
      String baseline,
      Map<String, String> skipped,
      List<Run> runs) {
    // Rungs that later ones are compared with take part in later groups again.
    Integer group =
        runs.stream()
            .filter(run -> run.system().equals(rung.name()))
            .map(run -> Objects.requireNonNullElse(run.group(), 1))
            .min(Integer::compare)
            .orElse(null);
    List<Run> turns =
        runs.stream()
            .filter(run -> Objects.requireNonNullElse(run.group(), 1).equals(group))
            .toList();
    if (turns.stream().noneMatch(run -> run.system().equals(rung.over()))) {
      String reason = skipped.getOrDefault(rung.name(), "not run");
      return of(rung, number, overNumber, SKIPPED, reason, null, Figures.NONE, null, 0, 0);
    }
    List<Summary> summaries =
        Summary.of(List.of(rung.name(), rung.over(), baseline), baseline, turns);
    Summary own = summaries.get(0);
    Summary over = summaries.get(1);
    boolean isComparable = own.status() == Status.OK && over.status() == Status.OK;
    return of(
        rung,
        number,
        overNumber,
        own.status().toString(),
        null,
        group,
        own.figures(),
        rung.isFirst() || !isComparable
            ? null
            : Figures.quotient(over.sqMedianS(), own.sqMedianS()),
        own.runsOk(),
        own.runsFailed());
  }

  private static RungSummary of(
      Rung rung,
      int number,
      @Nullable Integer overNumber,
      String status,
      @Nullable String reason,
      @Nullable Integer group,
      Figures figures,
      @Nullable Double gain,
      int runsOk,
      int runsFailed) {
    return new RungSummary(
        number,
        rung.name(),
        rung.change(),
        rung.contender().system().toString(),
        rung.contender().options(),
        overNumber,
        new Outcome(rung.isFirst() ? null : rung.over(), status, reason),
        group,
        figures,
        gain,
        runsOk,
        runsFailed);
  }

  @JsonIgnore
  public boolean isSkipped() {
    return outcome.status.equals(SKIPPED);
  }

  @JsonIgnore
  public boolean isOk() {
    return outcome.status.equals(OK);
  }

  /** One row per rung of a ladder. */
  public static Table table(List<RungSummary> rungs) {
    TableBuilder<RungSummary> table =
        Table.<RungSummary>of("Rungs", rungs)
            .text(
                "rung",
                rung ->
                    "%d %s%s"
                        .formatted(
                            rung.rung(),
                            rung.name(),
                            rung.isOk() ? "" : rung.isSkipped() ? " SKIPPED" : " FAILED"))
            .text("change", RungSummary::change)
            .spread(
                "S+Q",
                Format.SECONDS,
                rung -> rung.figures().sqMedianS(),
                rung -> rung.figures().sqMinS(),
                rung -> rung.figures().sqMaxS())
            .number("", Format.of("MB/s", "%.0f"), rung -> rung.figures().rawMBps())
            .number("CPU", Format.of("s", "%.2f"), rung -> rung.figures().cpuMedianS())
            .number("gain", Format.RATIO, RungSummary::gain)
            .number("over", Format.COUNT, RungSummary::overNumber)
            .number("total", Format.RATIO, rung -> rung.figures().sqSpeedup())
            .note(
                "gain: times as fast as the rung 'over', by the medians of S+Q, in turns with it;"
                    + " total: as rung 1");
    for (RungSummary rung : rungs) {
      if (rung.isSkipped()) {
        table.note(
            "skipped %d, %s: %s"
                .formatted(
                    rung.rung(), rung.name(), Objects.requireNonNull(rung.outcome().reason())));
      }
    }
    return table.build();
  }
}
