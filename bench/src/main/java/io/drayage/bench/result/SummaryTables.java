package io.drayage.bench.result;

import io.drayage.bench.table.Cell;
import io.drayage.bench.table.Format;
import io.drayage.bench.table.Table;
import io.drayage.bench.table.TableBuilder;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The tables of a comparison, at most 120 columns wide on a terminal for usual names. */
public final class SummaryTables {
  private static final Format SECONDS = Format.of("s", "%.3f");
  private static final Format CPU = Format.of("s", "%.2f");
  private static final Format RATE = Format.of("MB/s", "%.0f");
  private static final Format TIMES = Format.of("x", "%.2f");
  private static final Format CEILING =
      new Format("MB/s", 1, value -> Format.of("", value < 1000 ? "%.1f" : "%.0f").text(value));

  private SummaryTables() {}

  /** One row per system. */
  public static Table systems(List<Summary> summaries, String baseline) {
    TableBuilder<Summary> table =
        Table.<Summary>of("Systems", summaries)
            .text(
                "system",
                summary -> summary.system() + (summary.status() == Status.FAILED ? " FAILED" : ""))
            .spread("S+Q", Format.SECONDS, Summary::sqMedianS, Summary::sqMinS, Summary::sqMaxS)
            .number("commit", Format.SECONDS, Summary::commitMedianS)
            .number("", RATE, Summary::rawMBps)
            .number("wire", Format.MEGABYTES, Summary::wireBytes)
            .cells(
                "beyond",
                "MB*",
                true,
                summary ->
                    Cell.text(
                        megabytes(summary.workerBeyondCargoBytes())
                            + "/"
                            + megabytes(summary.transactorBeyondCargoBytes())))
            .number("CPU", CPU, Summary::cpuMedianS)
            .number("S+Q", TIMES, Summary::sqSpeedup)
            .number("commit", TIMES, Summary::commitSpeedup)
            .note("S+Q, commit, CPU: medians; x: times as fast as " + baseline)
            .note(
                "* worker/transactor: peak of heap, garbage included, and direct memory beyond the"
                    + " cargo");
    if (summaries.stream().anyMatch(s -> s.sqMedianS() != null && s.commitMedianS() == null)) {
      table.note("commit -: peers only receive the cargo; they do not commit");
    }
    List<Summary> busy = summaries.stream().filter(s -> s.busiest() != null).toList();
    if (!busy.isEmpty()) {
      table.note("busiest stage, processor time / (threads x S+Q):");
      busy.forEach(
          summary -> table.note("  %s: %s".formatted(summary.system(), summary.busiest())));
    }
    return table.build();
  }

  private static String megabytes(@Nullable Long bytes) {
    return bytes == null ? Cell.NONE.text() : Format.of("", "%.0f").text(bytes / 1e6);
  }

  /** Where the time of whole commits went, and which phase binds. */
  public static Table phases(List<Summary> summaries) {
    List<Summary> shown =
        summaries.stream().anyMatch(summary -> summary.commitOverSq() != null)
            ? summaries
            : List.of();
    TableBuilder<Summary> table =
        Table.<Summary>of("Phases", shown).text("phases, ms", Summary::system);
    shown.stream()
        .flatMap(summary -> summary.phases().byName().keySet().stream())
        .distinct()
        .forEach(
            phase ->
                table
                    .number(
                        phase,
                        Format.MILLISECONDS.in(""),
                        summary -> summary.phases().byName().get(phase))
                    .mark(summary -> phase.equals(summary.binds())));
    return table
        .number("disk", Format.MILLISECONDS.in(""), Summary::diskMedianS)
        .number("/S+Q", Format.RATIO, Summary::commitOverSq)
        .number("/max", Format.RATIO, Summary::commitOverBound)
        .note("medians; *: the longest phase; disk: the same bytes written with fsync")
        .note("/S+Q: the whole commit over S+Q; /max: over the larger of S+Q and disk")
        .build();
  }

  /** How near each system came to what the machine can do, and what binds it. */
  public static Table ceilings(Ceilings ceilings) {
    return Table.of("Ceilings", ceilings.systems())
        .text("share of the ceiling", CeilingShare::system)
        .number("wire", CEILING, CeilingShare::wireMBps)
        .number("wire", Format.RATIO, CeilingShare::wire)
        .number("processor", Format.RATIO, CeilingShare::processor)
        .number("codec", Format.RATIO, CeilingShare::codec)
        .number("copy", Format.RATIO, CeilingShare::copy)
        .number("disk", Format.RATIO, CeilingShare::disk)
        .text("binds", CeilingShare::binds)
        .note(
            "ceilings, MB/s: iperf3 %s, sink %s; copies of a core: out %s, in %s; %d cores"
                .formatted(
                    CEILING.cell(ceilings.iperf3MBps()).text(),
                    CEILING.cell(ceilings.sinkMBps()).text(),
                    CEILING.cell(ceilings.copyOutMBps()).text(),
                    CEILING.cell(ceilings.copyInMBps()).text(),
                    ceilings.cores()))
        .note(
            "wire: of the better of iperf3 and sink; processor: of all cores, over the commit;"
                + " codec: its busier end")
        .note("copy: array to array on all cores; disk: with fsync; waiting: none above a half")
        .build();
  }

  /** One row per rung of a ladder. */
  public static Table rungs(List<RungSummary> rungs) {
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
                SECONDS,
                rung -> rung.figures().sqMedianS(),
                rung -> rung.figures().sqMinS(),
                rung -> rung.figures().sqMaxS())
            .number("", RATE, rung -> rung.figures().rawMBps())
            .number("CPU", CPU, rung -> rung.figures().cpuMedianS())
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

  /** The study's table of whole commits, the published figures beside ours. */
  public static Table study(List<StudyRow> rows) {
    Format published = Format.of("", "%.2f");
    return Table.of("Study", rows)
        .text("system", StudyRow::system)
        .number("S+Q", SECONDS, StudyRow::sqS)
        .number("published", published, StudyRow::publishedSqS)
        .number("commit", SECONDS, StudyRow::commitS)
        .number("published", published, StudyRow::publishedCommitS)
        .number("commit/S+Q", Format.RATIO, StudyRow::commitOverSq)
        .number("published", published, StudyRow::publishedCommitOverSq)
        .number("score", Format.RATIO, StudyRow::score)
        .number("published", published, StudyRow::publishedScore)
        .note("published: 1 Gbit/s, S+Q until the last chunk is sent")
        .note("ours: loopback, S+Q until the transactor has received the cargo")
        .note("score: the whole commit over that of grpc:java+none in the same group of turns")
        .build();
  }
}
