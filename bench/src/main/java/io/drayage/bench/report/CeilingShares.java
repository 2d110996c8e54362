package io.drayage.bench.report;

import com.fasterxml.jackson.databind.JsonNode;
import io.drayage.bench.page.Axis;
import io.drayage.bench.page.Axis.Unit;
import io.drayage.bench.page.BarChart;
import io.drayage.bench.page.BarChart.Bar;
import io.drayage.bench.page.BarChart.BarTone;
import io.drayage.bench.page.Section;
import io.drayage.bench.page.Table;
import io.drayage.bench.result.Summary;
import io.drayage.bench.table.Cell;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** How near each system came to what the machine can do, where that was measured. */
final class CeilingShares {
  private static final List<String> KINDS = List.of("wire", "processor", "codec", "copy", "disk");
  private static final double PERCENT = 100;

  private CeilingShares() {}

  static boolean areIn(ReportRun run) {
    return !run.ceilings().path("systems").isEmpty();
  }

  static void add(Section section, ReportRun run, String id) {
    section.chart(chart(run, id)).table(table(run));
  }

  /** The part of what binds a system that it used, in words; null if that is not known. */
  static @Nullable String of(ReportRun run, String system) {
    for (JsonNode share : run.ceilings().path("systems")) {
      Double largest = largest(share);
      if (share.path("system").asText().equals(system) && largest != null) {
        return Shown.percent(largest);
      }
    }
    return null;
  }

  private static BarChart chart(ReportRun run, String id) {
    BarChart chart =
        BarChart.of(
                id, "Share of the ceiling that is nearest", Axis.of("of the ceiling", Unit.PERCENT))
            .note(
                "100 % is what the machine did by itself in the same hour. waiting: no ceiling is near,"
                    + " the ends wait for each other.");
    String best = SystemBars.best(run.summaries(), Summary::sqMedianS);
    for (JsonNode share : run.ceilings().path("systems")) {
      String system = share.path("system").asText();
      Double largest = largest(share);
      chart =
          chart.bar(
              largest == null
                  ? Bar.failed(system, "not known")
                  : Bar.of(
                          system,
                          PERCENT * largest,
                          "%s  %s"
                              .formatted(Shown.percent(largest), share.path("binds").asText("")))
                      .tone(
                          system.equals(best)
                              ? BarTone.BEST
                              : system.equals(run.baseline()) ? BarTone.BASE : BarTone.PLAIN));
    }
    return chart;
  }

  private static @Nullable Double largest(JsonNode share) {
    Double largest = null;
    for (String kind : KINDS) {
      Double value = number(share, kind);
      if (value != null && (largest == null || value > largest)) {
        largest = value;
      }
    }
    return largest;
  }

  private static Table table(ReportRun run) {
    Table table = new Table("Shares of the ceilings").text("system").number("wire", "MB/s");
    KINDS.forEach(kind -> table.number(kind, "%"));
    table.text("binds").note(note(run.ceilings()));
    for (JsonNode share : run.ceilings().path("systems")) {
      String binds = share.path("binds").asText("");
      table.row(
          Cell.text(share.path("system").asText()),
          Shown.digitsCell(number(share, "wireMBps")),
          Shown.shareCell(number(share, "wire")),
          Shown.shareCell(number(share, "processor")),
          Shown.shareCell(number(share, "codec")),
          Shown.shareCell(number(share, "copy")),
          Shown.shareCell(number(share, "disk")),
          share.path("binds").isTextual() ? Cell.text(binds) : Cell.NONE);
    }
    return table;
  }

  private static String note(JsonNode ceilings) {
    return String.format(
        Locale.ROOT,
        "Ceilings, MB/s: iperf3 %s, frames without a codec %s; copies of a core: out of arrays %s, into arrays %s; %d cores."
            + " wire: of the better of the first two. processor: of all cores, over the commit. codec: its busier end. disk: with fsync.",
        text(ceilings, "iperf3MBps"),
        text(ceilings, "sinkMBps"),
        text(ceilings, "copyOutMBps"),
        text(ceilings, "copyInMBps"),
        ceilings.path("cores").asInt());
  }

  private static String text(JsonNode node, String field) {
    Double value = number(node, field);
    return value == null ? "not measured" : Shown.digits(value);
  }

  private static @Nullable Double number(JsonNode node, String field) {
    return node.path(field).isNumber() ? node.path(field).asDouble() : null;
  }
}
