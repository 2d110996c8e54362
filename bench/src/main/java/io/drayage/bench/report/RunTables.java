package io.drayage.bench.report;

import com.fasterxml.jackson.databind.JsonNode;
import io.drayage.bench.child.ProcessCost;
import io.drayage.bench.result.Run;
import io.drayage.bench.result.Status;
import io.drayage.bench.result.Summary;
import io.drayage.bench.result.Utilisation;
import io.drayage.bench.result.WorkerRun;
import io.drayage.bench.statistics.Medians;
import io.drayage.bench.table.Cell;
import io.drayage.bench.table.Format;
import io.drayage.bench.table.Table;
import io.drayage.bench.table.TableBuilder;
import io.drayage.bench.table.Tone;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The tables that only a page shows, and the CSV of the iterations. */
final class RunTables {
  private static final Format EXACT = Format.of("", "%.9f");
  private static final List<String> PHASES =
      List.of(
          "request",
          "convert",
          "serialize",
          "drain",
          "decode",
          "apply",
          "upload",
          "snapshot",
          "publish",
          "load");

  private record WorkerRow(String system, String worker, List<WorkerRun> runs, Summary all) {
    private boolean isTotal() {
      return runs.isEmpty();
    }
  }

  private RunTables() {}

  /** How busy the stages were. */
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
        .text("busiest", Summary::busiest)
        .note(
            "Medians of processor time / (threads that took part × S+Q): 100 % is a stage whose"
                + " threads did nothing else. The commit follows S+Q and may exceed it.")
        .build();
  }

  private static Function<Summary, @Nullable Double> share(
      ReportRun run, Function<Utilisation, @Nullable Double> stage) {
    return summary ->
        Medians.of(
            run.countedRuns(summary.system()).stream()
                .map(Run::utilisation)
                .filter(Objects::nonNull)
                .toList(),
            stage);
  }

  /** Each worker's cargo, and all together; empty if there was one worker. */
  static Table workers(ReportRun run) {
    List<WorkerRow> rows = new ArrayList<>();
    for (Summary summary : run.summaries()) {
      Map<Integer, List<WorkerRun>> byWorker = new TreeMap<>();
      for (Run one : run.countedRuns(summary.system())) {
        List<WorkerRun> workers = one.workers();
        if (workers != null) {
          workers.forEach(
              worker ->
                  byWorker
                      .computeIfAbsent(worker.worker(), unseen -> new ArrayList<>())
                      .add(worker));
        }
      }
      byWorker.forEach(
          (number, runs) -> rows.add(new WorkerRow(summary.system(), "" + number, runs, summary)));
      if (!byWorker.isEmpty()) {
        rows.add(new WorkerRow(summary.system(), "all", List.of(), summary));
      }
    }
    return Table.of("Workers", rows)
        .text("system", WorkerRow::system)
        .text("worker", WorkerRow::worker)
        .number("S+Q", Format.SECONDS, of(Summary::sqMedianS, WorkerRun::sqS))
        .number("commit", Format.SECONDS, of(Summary::commitMedianS, WorkerRun::commitS))
        .number(
            "payload",
            Format.MEGABYTES_PER_SECOND,
            of(Summary::rawMBps, worker -> worker.rawBytes() / worker.sqS() / 1e6))
        .number("sent", Format.MEGABYTES, of(Summary::wireBytes, WorkerRun::wireBytes))
        .tone(row -> row.isTotal() ? Tone.GOOD : Tone.PLAIN)
        .note(
            "Medians over the iterations. all: until the last worker was done, with the bytes of"
                + " all.")
        .build();
  }

  private static Function<WorkerRow, @Nullable Number> of(
      Function<Summary, @Nullable Number> ofAll, Function<WorkerRun, @Nullable Number> ofOne) {
    return row -> row.isTotal() ? ofAll.apply(row.all()) : Medians.of(row.runs(), ofOne);
  }

  static String turn(Run run) {
    return run.iteration() == 0 ? "warm-up" : "turn " + run.iteration();
  }

  /** Every iteration, failed ones too, in the order in which they ran. */
  static Table iterations(ReportRun run) {
    return Table.of("Iterations", run.runs())
        .text("system", Run::system)
        .cells("turn", "", true, one -> Cell.number(one.iteration(), turn(one)))
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
        .number("worker GC", Format.MILLISECONDS, one -> gcS(one.worker()))
        .number("transactor GC", Format.MILLISECONDS, one -> gcS(one.transactor()))
        .text("error", Run::error)
        .wrapped()
        .tone(one -> one.status() == Status.FAILED ? Tone.BAD : Tone.PLAIN)
        .build();
  }

  private static @Nullable Double gcS(@Nullable ProcessCost process) {
    return process == null ? null : (Double) process.gcS();
  }

  /** Every iteration in full, in the names of the JSON. */
  static Table forCsv(List<Run> runs) {
    TableBuilder<Run> table =
        Table.of("iterations", runs)
            .text("system", Run::system)
            .number("iteration", EXACT, Run::iteration)
            .text("status", run -> run.status().toString())
            .number("group", EXACT, Run::group)
            .number("rawBytes", EXACT, Run::rawBytes)
            .number("wireBytes", EXACT, Run::wireBytes)
            .number("frames", EXACT, Run::frames)
            .text("digestOk", run -> run.digestOk() == null ? null : run.digestOk().toString())
            .number("sqS", EXACT, Run::sqS)
            .number("commitS", EXACT, Run::commitS)
            .number("diskS", EXACT, Run::diskS)
            .number("cpuS", EXACT, Run::cpuS)
            .number("jitShare", EXACT, Run::jitShare)
            .number("othersPercent", EXACT, Run::othersPercent)
            .text("disturbed", run -> Boolean.toString(run.disturbed()))
            .number("workerPeakBytes", EXACT, Run::workerPeakBytes)
            .number("transactorPeakBytes", EXACT, Run::transactorPeakBytes)
            .number("workerBeyondCargoBytes", EXACT, Run::workerBeyondCargoBytes)
            .number("transactorBeyondCargoBytes", EXACT, Run::transactorBeyondCargoBytes);
    PHASES.forEach(
        phase -> table.number(phase + "S", EXACT, run -> run.phases().byName().get(phase)));
    return table
        .number("encodeUtilisation", EXACT, of(Utilisation::encode))
        .number("sendUtilisation", EXACT, of(Utilisation::send))
        .number("receiveUtilisation", EXACT, of(Utilisation::receive))
        .number("decodeUtilisation", EXACT, of(Utilisation::decode))
        .number("commitUtilisation", EXACT, of(Utilisation::commit))
        .text("error", Run::error)
        .build();
  }

  private static Function<Run, @Nullable Double> of(Function<Utilisation, @Nullable Double> stage) {
    return run -> run.utilisation() == null ? null : stage.apply(run.utilisation());
  }

  /** One part of the results' JSON: a row per field, a column per run. */
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
