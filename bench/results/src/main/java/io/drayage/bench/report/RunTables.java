package io.drayage.bench.report;

import com.fasterxml.jackson.databind.JsonNode;
import io.drayage.bench.child.ProcessCost;
import io.drayage.bench.result.Run;
import io.drayage.bench.result.Status;
import io.drayage.bench.result.Summary;
import io.drayage.bench.result.Utilisation;
import io.drayage.bench.result.WorkerRun;
import io.drayage.bench.statistics.Medians;
import io.drayage.bench.table.Format;
import io.drayage.bench.table.Table;
import io.drayage.bench.table.TableBuilder;
import io.drayage.bench.table.TableCell;
import io.drayage.bench.table.Tone;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The tables of single runs, for a page and for verbose output. */
final class RunTables {
  private record WorkerRow(String system, int worker, List<WorkerRun> runs) {}

  private RunTables() {}

  /** Makes the table of the utilisation of the stages. */
  static Table utilisation(ReportRun run) {
    return Table.of("Stages", run.summaries())
        .text("system", Summary::system)
        .number("encode", Format.SHARE, share(run, Utilisation::encode))
        .bars()
        .number("send", Format.SHARE, share(run, Utilisation::send))
        .bars()
        .number("receive", Format.SHARE, share(run, Utilisation::receive))
        .bars()
        .number("decode", Format.SHARE, share(run, Utilisation::decode))
        .bars()
        .number("commit", Format.SHARE, share(run, Utilisation::commit))
        .bars()
        .text("busiest", summary -> summary.costs().busiest())
        .note(
            "Medians of CPU time / (threads that took part × S+Q): 100 % is a stage whose threads"
                + " were always busy. The commit follows S+Q and may exceed 100 %.")
        .build();
  }

  private static Function<Summary, @Nullable Double> share(
      ReportRun run, Function<Utilisation, @Nullable Double> stage) {
    return summary ->
        Medians.of(
            run.countedRuns(summary.system()).stream()
                .map(one -> one.cost().utilisation())
                .filter(Objects::nonNull)
                .toList(),
            stage);
  }

  /** Makes the table of each worker's cargo; empty if there was one worker. */
  static Table workers(ReportRun run) {
    List<WorkerRow> rows = new ArrayList<>();
    for (String system : run.systems()) {
      run.countedRuns(system).stream()
          .map(Run::workers)
          .filter(Objects::nonNull)
          .flatMap(List::stream)
          .collect(Collectors.groupingBy(WorkerRun::worker, TreeMap::new, Collectors.toList()))
          .forEach((worker, runs) -> rows.add(new WorkerRow(system, worker, runs)));
    }
    return Table.of("Workers", rows)
        .text("system", WorkerRow::system)
        .number("worker", Format.COUNT, WorkerRow::worker)
        .number("S+Q", Format.SECONDS, of(WorkerRun::sqS))
        .number("commit", Format.SECONDS, of(WorkerRun::commitS))
        .number(
            "payload",
            Format.MEGABYTES_PER_SECOND,
            of(worker -> worker.rawBytes() / worker.sqS() / 1e6))
        .number("sent", Format.MEGABYTES, of(WorkerRun::wireBytes))
        .note("Medians of the turns.")
        .build();
  }

  private static Function<WorkerRow, @Nullable Number> of(
      Function<WorkerRun, @Nullable Number> figure) {
    return row -> Medians.of(row.runs(), figure);
  }

  static String turn(Run run) {
    return run.iteration() == 0 ? "warm-up" : "turn " + run.iteration();
  }

  /** Makes the table of every iteration, also failed ones, in the order in which they ran. */
  static Table iterations(ReportRun run) {
    return Table.of("Iterations", run.runs())
        .text("system", Run::system)
        .cells("turn", "", true, one -> TableCell.number(one.iteration(), turn(one)))
        .text(
            "status",
            one -> one.status() == Status.FAILED ? "FAILED" : one.disturbed() ? "disturbed" : "ok")
        .number("S+Q", Format.SECONDS, Run::sqS)
        .number("commit", Format.SECONDS, Run::commitS)
        .number("payload", Format.MEGABYTES_PER_SECOND, Run::megabytesPerSecond)
        .number("sent", Format.MEGABYTES, Run::wireBytes)
        .number("CPU", Format.SECONDS, Run::cpuS)
        .number("JIT", Format.SHARE, Run::jitShare)
        .number("others", Format.of("%", "%.0f"), Run::othersPercent)
        .number("worker GC", Format.MILLISECONDS, one -> gcS(one.cost().worker()))
        .number("transactor GC", Format.MILLISECONDS, one -> gcS(one.cost().transactor()))
        .text("error", Run::error)
        .wrapped()
        .tone(one -> one.status() == Status.FAILED ? Tone.BAD : Tone.PLAIN)
        .build();
  }

  private static @Nullable Double gcS(@Nullable ProcessCost process) {
    return process == null ? null : (Double) process.gcS();
  }

  /** Makes the table of one part of the results' JSON: a row per field, a column per run. */
  static Table details(
      String title, List<ReportRun> runs, List<String> labels, Function<ReportRun, JsonNode> part) {
    Map<String, Map<Integer, String>> fields = new LinkedHashMap<>();
    for (int i = 0; i < runs.size(); i++) {
      flatten("", part.apply(runs.get(i)), i, fields);
    }
    TableBuilder<String> table = Table.of(title, fields.keySet()).text("field", name -> name);
    for (int i = 0; i < runs.size(); i++) {
      int number = i;
      table.text(labels.get(i), name -> fields.getOrDefault(name, Map.of()).get(number)).wrapped();
    }
    return table.build();
  }

  private static void flatten(
      String prefix, JsonNode node, int run, Map<String, Map<Integer, String>> fields) {
    for (Map.Entry<String, JsonNode> field : node.properties()) {
      String name = prefix + field.getKey();
      JsonNode value = field.getValue();
      if (value.isObject()) {
        flatten(name + ".", value, run, fields);
      } else if (!value.isNull()) {
        fields.computeIfAbsent(name, unseen -> new TreeMap<>()).put(run, text(value));
      }
    }
  }

  private static String text(JsonNode value) {
    if (!value.isArray()) {
      return value.asText();
    }
    List<String> parts = new ArrayList<>();
    value.forEach(part -> parts.add(part.isValueNode() ? part.asText() : part.toString()));
    return String.join(" ", parts);
  }
}
