package io.drayage.bench.report;

import static io.drayage.internal.Texts.format;

import io.drayage.bench.result.CeilingShare;
import io.drayage.bench.result.Ceilings;
import io.drayage.bench.result.Floor;
import io.drayage.bench.result.Status;
import io.drayage.bench.result.Step;
import io.drayage.bench.result.StudyRow;
import io.drayage.bench.result.Summary;
import io.drayage.bench.table.Format;
import io.drayage.bench.table.Medium;
import io.drayage.bench.table.Table;
import io.drayage.bench.table.TableBuilder;
import io.drayage.bench.table.TableCell;
import io.drayage.bench.table.Tone;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The tables with one row per system, for a terminal and for a page. */
public final class SummaryTables {
  private static final Format GIGABYTES_PER_SECOND =
      new Format("GB/s", 1e-3, value -> Format.of("", value < 10 ? "%.2f" : "%.1f").text(value));

  private SummaryTables() {}

  /**
   * Makes the table of each system's speed. On a terminal it has the most important columns, at
   * most 100 characters wide for usual names.
   *
   * @param baseline the system that the others are compared with
   */
  public static Table systems(List<Summary> summaries, String baseline) {
    String best = best(summaries, Summary::sqMedianS);
    TableBuilder<Summary> table =
        Table.of("Systems", summaries)
            .text("system", SummaryTables::name)
            .number("S+Q", Format.SECONDS, Summary::sqMedianS)
            .number("min", Format.SECONDS, summary -> summary.figures().sqMinS())
            .on(Medium.PAGE)
            .number("max", Format.SECONDS, summary -> summary.figures().sqMaxS())
            .on(Medium.PAGE)
            .number("commit", Format.SECONDS, Summary::commitMedianS);
    boolean isDownloadedBeside =
        summaries.stream().anyMatch(summary -> summary.downloadedBesideMedianS() != null);
    if (isDownloadedBeside) {
      table
          .number(
              "downloaded", Format.SECONDS, summary -> summary.figures().downloadedCommitMedianS())
          .note(
              "commit: until the worker has the snapshot, from its own cargo; downloaded: if it"
                  + " downloads that");
    }
    table
        .number("", GIGABYTES_PER_SECOND, summary -> summary.figures().rawMBps())
        .number("CPU", Format.of("s/GB", "%.2f"), summary -> summary.figures().cpuSPerGB());
    if (isDownloadedBeside) {
      table.on(Medium.PAGE);
    }
    return speedups(table, baseline)
        .cells("runs", "", false, SummaryTables::runs)
        .on(Medium.PAGE)
        .tone(
            summary ->
                summary.status() == Status.FAILED
                    ? Tone.BAD
                    : summary.system().equals(best) ? Tone.GOOD : Tone.PLAIN)
        .build();
  }

  private static TableBuilder<Summary> speedups(TableBuilder<Summary> table, String baseline) {
    return table
        .interval(
            "S+Q x",
            Format.RATIO,
            Summary::sqSpeedup,
            ofOthers(baseline, summary -> summary.sq().low()),
            ofOthers(baseline, summary -> summary.sq().high()))
        .interval(
            "commit x",
            Format.RATIO,
            Summary::commitSpeedup,
            ofOthers(baseline, summary -> summary.commit().low()),
            ofOthers(baseline, summary -> summary.commit().high()))
        .note(
            "medians; x: times as fast as " + baseline + ", with the interval of 95 % confidence");
  }

  private static Function<Summary, @Nullable Double> ofOthers(
      String baseline, Function<Summary, @Nullable Double> figure) {
    return summary -> summary.system().equals(baseline) ? null : figure.apply(summary);
  }

  private static String name(Summary summary) {
    return summary.system()
        + (summary.status() == Status.OK
            ? ""
            : " " + summary.status().toString().toUpperCase(Locale.ROOT));
  }

  /** Makes the table of each system's cost and warmth. */
  static Table cost(List<Summary> summaries, @Nullable Floor floor) {
    return Table.of("Cost", summaries)
        .text("cost", Summary::system)
        .number("CPU", Format.SECONDS, summary -> summary.figures().cpuMedianS())
        .number("CPU", Format.of("s/GB", "%.2f"), summary -> summary.figures().cpuSPerGB())
        .number(
            "floor x",
            Format.of("", "%.1f"),
            summary -> floor == null ? null : floor.times(summary))
        .number("JIT", Format.SHARE, summary -> summary.figures().jitShare())
        .number("first commit", Format.SECONDS, summary -> summary.warmth().firstCommitS())
        .text("warm", SummaryTables::warm)
        .number("wire", Format.MEGABYTES, summary -> summary.figures().wireBytes())
        .number("ratio", Format.RATIO, summary -> summary.figures().ratio())
        .number("worker", Format.MEGABYTES, summary -> summary.costs().workerBeyondCargoBytes())
        .number(
            "transactor", Format.MEGABYTES, summary -> summary.costs().transactorBeyondCargoBytes())
        .note(
            "CPU: median CPU time of all processes; floor x: times the floor; JIT: the compiler's"
                + " part; ratio: raw bytes per byte sent;")
        .note("worker, transactor: peak of heap (with garbage) and direct memory beyond the cargo")
        .build();
  }

  private static @Nullable String warm(Summary summary) {
    Boolean warm = summary.warmth().warm();
    return warm == null ? null : warm ? "yes" : "no";
  }

  private static TableCell runs(Summary summary) {
    int failed = summary.counts().runsFailed();
    return failed == 0
        ? TableCell.text(format("%d ok", summary.counts().runsOk()))
        : TableCell.text(format("%d ok, %d FAILED", summary.counts().runsOk(), failed))
            .tone(Tone.BAD);
  }

  /** Returns the fastest system by a figure, among those without a failed run; null if none. */
  static @Nullable String best(
      List<Summary> summaries, Function<Summary, @Nullable Double> figure) {
    return summaries.stream()
        .filter(summary -> summary.counts().runsFailed() == 0 && figure.apply(summary) != null)
        .min(Comparator.comparing(summary -> Objects.requireNonNull(figure.apply(summary))))
        .map(Summary::system)
        .orElse(null);
  }

  /**
   * Makes the table of the gain of each rung of a ladder, over the rung that it is compared with.
   *
   * @param summaries each with its step
   */
  public static Table rungs(List<Summary> summaries) {
    return Table.of("What each rung brings", summaries)
        .number("rung", Format.COUNT, summary -> step(summary).rung())
        .text("system", Summary::system)
        .text("change", summary -> step(summary).change())
        .number("S+Q", Format.SECONDS, Summary::sqMedianS)
        .number(
            "commit",
            Format.SECONDS,
            summary -> step(summary).byCommit() ? summary.commitMedianS() : null)
        .number("CPU", Format.SECONDS, summary -> summary.figures().cpuMedianS())
        .interval(
            "gain x",
            Format.RATIO,
            summary -> step(summary).gain(),
            summary -> step(summary).gainLow(),
            summary -> step(summary).gainHigh())
        .number("over", Format.COUNT, summary -> step(summary).overNumber())
        .number("total x", Format.RATIO, Summary::sqSpeedup)
        .text("", SummaryTables::trouble)
        .wrapped()
        .tone(summary -> summary.status() == Status.FAILED ? Tone.BAD : Tone.PLAIN)
        .note(
            "gain: speed over that of the rung 'over', by commits if shown; total: over that of"
                + " rung 1")
        .build();
  }

  private static String trouble(Summary summary) {
    String reason = step(summary).reason();
    return summary.status() == Status.OK
        ? ""
        : summary.status() + (reason == null ? "" : ": " + reason);
  }

  private static Step step(Summary summary) {
    return Objects.requireNonNull(summary.step());
  }

  /** Makes the table of the phases of the commits. */
  public static Table phases(List<Summary> summaries) {
    TableBuilder<Summary> table =
        Table.of("Phases, ms", summaries).text("phases, ms", Summary::system);
    Format milliseconds = Format.MILLISECONDS.in("");
    for (String phase : phaseNames(summaries)) {
      table
          .number(phase, milliseconds, summary -> summary.phases().byName().get(phase))
          .mark(summary -> phase.equals(summary.binds()));
    }
    return table
        .number("/S+Q", Format.RATIO, Summary::commitOverSq)
        .note("medians; the longest phase is marked; /S+Q: the whole commit over S+Q")
        .build();
  }

  static List<String> phaseNames(List<Summary> summaries) {
    return summaries.stream()
        .flatMap(summary -> summary.phases().byName().keySet().stream())
        .distinct()
        .toList();
  }

  /** Makes the table of each system's shares of the machine's limits, and of its bottleneck. */
  public static Table ceilings(Ceilings ceilings) {
    return Table.of("Shares of the ceilings", ceilings.systems())
        .text("share of the ceiling", CeilingShare::system)
        .number("wire", Format.MEGABYTES_PER_SECOND, CeilingShare::wireMBps)
        .number("wire", Format.SHARE, CeilingShare::wire)
        .bars()
        .number("processor", Format.SHARE, CeilingShare::processor)
        .bars()
        .number("codec", Format.SHARE, CeilingShare::codec)
        .bars()
        .number("copy", Format.SHARE, CeilingShare::copy)
        .bars()
        .text("binds", CeilingShare::binds)
        .note(
            format(
                "ceilings, MB/s: iperf3 %s, frames without a codec %s;"
                    + " copies of a core: out of arrays %s, into arrays %s; %d cores",
                measured(ceilings.iperf3MBps()),
                measured(ceilings.sinkMBps()),
                measured(ceilings.copyOutMBps()),
                measured(ceilings.copyInMBps()),
                ceilings.cores()))
        .note(
            "wire: of the better of the first two; processor: of all cores, over the commit;"
                + " codec: its busier end;")
        .note("copy: array to array on all cores; waiting: none above a half")
        .build();
  }

  private static String measured(@Nullable Double value) {
    return value == null ? "not measured" : Format.DIGITS.text(value);
  }

  /** Makes the table of the study's combinations, with our figures beside the published ones. */
  public static Table study(List<StudyRow> rows) {
    return Table.of("The study's combinations", rows)
        .text("system", StudyRow::system)
        .number("S+Q", Format.SECONDS, StudyRow::sqS)
        .number("published", Format.SECONDS, StudyRow::publishedSqS)
        .number("commit", Format.SECONDS, StudyRow::commitS)
        .number("published", Format.SECONDS, StudyRow::publishedCommitS)
        .number("/S+Q", Format.RATIO, StudyRow::commitOverSq)
        .number("published", Format.RATIO, StudyRow::publishedCommitOverSq)
        .number("score", Format.RATIO, StudyRow::score)
        .number("published", Format.RATIO, StudyRow::publishedScore)
        .note("published: 1 Gbit/s, S+Q until the last chunk is sent;")
        .note("ours: S+Q until the transactor has received the whole cargo;")
        .note("score: the whole commit over that of grpc:java+none in the same group of turns")
        .build();
  }
}
