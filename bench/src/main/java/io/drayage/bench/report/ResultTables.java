package io.drayage.bench.report;

import com.fasterxml.jackson.databind.JsonNode;
import io.drayage.bench.page.Table;
import io.drayage.bench.result.Run;
import io.drayage.bench.result.Status;
import io.drayage.bench.result.StudyRow;
import io.drayage.bench.result.Summary;
import io.drayage.bench.result.Utilisation;
import io.drayage.bench.result.WorkerRun;
import io.drayage.bench.statistics.Medians;
import io.drayage.bench.table.Cell;
import io.drayage.bench.table.Tone;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The tables of one run. */
final class ResultTables {
  private ResultTables() {}

  static Table systems(ReportRun run) {
    Table table =
        new Table("Systems")
            .text("system")
            .number("S+Q", "s")
            .number("min", "s")
            .number("max", "s")
            .number("S+Q ×")
            .number("commit", "s")
            .number("commit ×")
            .number("payload", "MB/s")
            .number("sent", "MB")
            .number("ratio")
            .text("runs");
    table.note(
        "S+Q, commit: medians. ×: times as fast as %s. payload: raw bytes / S+Q; ratio: raw bytes per byte sent."
            .formatted(run.baseline()));
    String best = SystemBars.best(run.summaries(), Summary::sqMedianS);
    for (Summary summary : run.summaries()) {
      boolean failed = summary.status() == Status.FAILED;
      Tone tone = failed ? Tone.BAD : summary.system().equals(best) ? Tone.GOOD : Tone.PLAIN;
      table.row(
          tone,
          List.of(
              Cell.text(summary.system()),
              Shown.secondsCell(summary.sqMedianS()),
              Shown.secondsCell(summary.sqMinS()),
              Shown.secondsCell(summary.sqMaxS()),
              Shown.timesCell(summary.sqSpeedup()),
              Shown.secondsCell(summary.commitMedianS()),
              Shown.timesCell(summary.commitSpeedup()),
              Shown.digitsCell(summary.rawMBps()),
              Shown.megabytesCell(summary.wireBytes()),
              Shown.timesCell(summary.ratio()),
              runsCell(summary)));
    }
    return table;
  }

  private static Cell runsCell(Summary summary) {
    String text =
        summary.runsFailed() == 0
            ? "%d ok".formatted(summary.runsOk())
            : "%d ok, %d FAILED".formatted(summary.runsOk(), summary.runsFailed());
    return Cell.text(text).tone(summary.runsFailed() == 0 ? Tone.PLAIN : Tone.BAD);
  }

  /** What each rung of a ladder brings, over the one that it is compared with. */
  static Table rungs(List<JsonNode> rungs) {
    Table table =
        new Table("What each rung brings")
            .number("rung")
            .text("system")
            .text("change")
            .number("S+Q", "s")
            .number("min", "s")
            .number("max", "s")
            .number("CPU", "s")
            .number("gain ×")
            .number("over rung")
            .number("total ×")
            .text("status")
            .note(
                "Medians of the group in which the rung took turns with the one that it is compared with. gain: times as fast as that; total: as rung 1.");
    for (JsonNode rung : rungs) {
      String status = rung.path("status").asText();
      Tone tone = status.equals("failed") ? Tone.BAD : Tone.PLAIN;
      String reason = rung.path("reason").asText("");
      table.row(
          tone,
          List.of(
              Cell.number(rung.path("rung").asInt(), rung.path("rung").asText()),
              Cell.text(rung.path("name").asText()),
              Cell.text(rung.path("change").asText()),
              Shown.secondsCell(number(rung, "sqMedianS")),
              Shown.secondsCell(number(rung, "sqMinS")),
              Shown.secondsCell(number(rung, "sqMaxS")),
              Shown.secondsCell(number(rung, "cpuMedianS")),
              Shown.timesCell(number(rung, "gain")),
              rung.path("overNumber").isNumber()
                  ? Cell.number(rung.path("overNumber").asInt(), rung.path("overNumber").asText())
                  : Cell.NONE,
              Shown.timesCell(number(rung, "sqSpeedup")),
              status.equals("skipped")
                  ? Cell.text("skipped: " + reason).wrapped()
                  : Cell.text(status).tone(tone)));
    }
    return table;
  }

  private static @Nullable Double number(JsonNode of, String name) {
    return of.path(name).isNumber() ? (Double) of.path(name).asDouble() : null;
  }

  /** What both processes took. */
  static Table cost(ReportRun run) {
    Table table =
        new Table("Cost")
            .text("system")
            .number("CPU", "s")
            .number("CPU per GB", "s")
            .number("worker", "MB")
            .number("transactor", "MB")
            .note(
                "CPU: median of the processor time of both processes, compiler and collector included. worker, transactor: peak of heap, garbage included, and direct memory beyond the cargo.");
    Long raw = run.rawBytes();
    for (Summary summary : run.summaries()) {
      Double cpu = summary.cpuMedianS();
      table.row(
          Cell.text(summary.system()),
          Shown.secondsCell(cpu),
          Shown.secondsCell(cpu == null || raw == null ? null : (Double) (cpu / (raw / 1e9))),
          Shown.megabytesCell(summary.workerBeyondCargoBytes()),
          Shown.megabytesCell(summary.transactorBeyondCargoBytes()));
    }
    return table;
  }

  /** How busy the stages were. */
  static Table utilisation(ReportRun run) {
    Table table =
        new Table("Stages")
            .text("system")
            .number("encode", "%")
            .number("send", "%")
            .number("receive", "%")
            .number("decode", "%")
            .number("commit", "%")
            .text("busiest")
            .note(
                "Medians of processor time / (threads that took part × S+Q): 100 % is a stage whose threads did nothing else. The commit follows S+Q and may exceed it.");
    for (Summary summary : run.summaries()) {
      List<Run> ok = run.okRuns(summary.system());
      String busiest = summary.busiest();
      table.row(
          Cell.text(summary.system()),
          Shown.shareCell(median(ok, Utilisation::encode)),
          Shown.shareCell(median(ok, Utilisation::send)),
          Shown.shareCell(median(ok, Utilisation::receive)),
          Shown.shareCell(median(ok, Utilisation::decode)),
          Shown.shareCell(median(ok, Utilisation::commit)),
          busiest == null ? Cell.NONE : Cell.text(busiest));
    }
    return table;
  }

  private static @Nullable Double median(
      List<Run> runs, Function<Utilisation, @Nullable Double> stage) {
    return Medians.of(runs.stream().map(Run::utilisation).filter(Objects::nonNull).toList(), stage);
  }

  /** What each worker's cargo took, and all together; empty if there was one worker. */
  static Table workers(ReportRun run) {
    Table table =
        new Table("Workers")
            .text("system")
            .text("worker")
            .number("S+Q", "s")
            .number("commit", "s")
            .number("payload", "MB/s")
            .number("sent", "MB")
            .note(
                "Medians over the iterations. all: until the last worker was done, with the bytes of all.");
    for (Summary summary : run.summaries()) {
      List<List<WorkerRun>> iterations = new ArrayList<>();
      for (Run one : run.okRuns(summary.system())) {
        List<WorkerRun> parts = one.workers();
        if (parts != null && !parts.isEmpty()) {
          iterations.add(parts);
        }
      }
      if (iterations.isEmpty()) {
        continue;
      }
      int count = iterations.get(0).size();
      for (int i = 0; i < count; i++) {
        int index = i;
        table.row(
            Tone.PLAIN,
            workerRow(
                summary.system(), iterations.stream().map(parts -> parts.get(index)).toList()));
      }
      table.row(
          Tone.GOOD,
          List.of(
              Cell.text(summary.system()),
              Cell.text("all"),
              Shown.secondsCell(summary.sqMedianS()),
              Shown.secondsCell(summary.commitMedianS()),
              Shown.digitsCell(summary.rawMBps()),
              Shown.megabytesCell(summary.wireBytes())));
    }
    return table;
  }

  private static List<Cell> workerRow(String system, List<WorkerRun> runs) {
    Double sq = Medians.of(runs, WorkerRun::sqS);
    Double commit = Medians.of(runs, WorkerRun::commitS);
    WorkerRun first = runs.get(0);
    return List.of(
        Cell.text(system),
        Cell.text(Integer.toString(first.worker())),
        Shown.secondsCell(sq),
        Shown.secondsCell(commit),
        Shown.digitsCell(sq == null ? null : (Double) (first.rawBytes() / sq / 1e6)),
        Shown.megabytesCell(first.wireBytes()));
  }

  /** Every iteration, failed ones too, in the order in which they ran. */
  static Table iterations(ReportRun run) {
    Table table =
        new Table("Iterations")
            .text("system")
            .number("iteration")
            .text("status")
            .number("S+Q", "s")
            .number("commit", "s")
            .number("payload", "MB/s")
            .number("sent", "MB")
            .number("CPU", "s")
            .number("worker GC", "ms")
            .number("transactor GC", "ms")
            .text("error");
    for (Run one : run.runs()) {
      boolean failed = one.status() == Status.FAILED;
      String error = one.error();
      table.row(
          failed ? Tone.BAD : Tone.PLAIN,
          List.of(
              Cell.text(one.system()),
              Cell.number(
                  one.iteration(),
                  one.iteration() == 0 ? "warm-up" : Integer.toString(one.iteration())),
              failed ? Cell.text("FAILED").tone(Tone.BAD) : Cell.text("ok"),
              Shown.secondsCell(one.sqS()),
              Shown.secondsCell(one.commitS()),
              Shown.digitsCell(one.megabytesPerSecond()),
              Shown.megabytesCell(one.wireBytes()),
              Shown.secondsCell(one.cpuS()),
              one.worker() == null ? Cell.NONE : Shown.millisecondsCell(one.worker().gcS()),
              one.transactor() == null ? Cell.NONE : Shown.millisecondsCell(one.transactor().gcS()),
              error == null ? Cell.NONE : Cell.text(error).wrapped().tone(Tone.BAD)));
    }
    return table;
  }

  /** The study's combinations, ours and the published figures. */
  static Table study(List<StudyRow> rows) {
    Table table =
        new Table("The study's combinations")
            .text("system")
            .number("S+Q", "s")
            .number("published", "s")
            .number("commit", "s")
            .number("published", "s")
            .number("commit / S+Q")
            .number("published")
            .number("score")
            .number("published")
            .note(
                "Published: 1 Gbit/s, S+Q until the last chunk is sent. Score: the whole commit over that of grpc:java+none.");
    for (StudyRow row : rows) {
      table.row(
          Cell.text(row.system()),
          Shown.secondsCell(row.sqS()),
          Shown.secondsCell(row.publishedSqS()),
          Shown.secondsCell(row.commitS()),
          Shown.secondsCell(row.publishedCommitS()),
          Shown.timesCell(row.commitOverSq()),
          Shown.timesCell(row.publishedCommitOverSq()),
          Shown.timesCell(row.score()),
          Shown.timesCell(row.publishedScore()));
    }
    return table;
  }
}
