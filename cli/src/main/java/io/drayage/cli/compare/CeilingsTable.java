package io.drayage.cli.compare;

import io.drayage.bench.TextTable;
import io.drayage.bench.result.CeilingShare;
import io.drayage.bench.result.Ceilings;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** How near each system came to what the machine can do, and what binds it; for a terminal. */
final class CeilingsTable {
  private static final String NOTHING = "-";

  private CeilingsTable() {}

  /** The lines of the table, and a legend. */
  static List<String> of(Ceilings ceilings) {
    TextTable table =
        new TextTable(
            List.of(
                "share of the ceiling",
                "wire MB/s",
                "wire",
                "processor",
                "codec",
                "copy",
                "disk",
                "binds"));
    ceilings.systems().forEach(share -> table.add(row(share)));
    List<String> lines = new ArrayList<>(table.lines());
    lines.add(
        "ceilings, MB/s: iperf3 %s, sink %s; copies of a core: out %s, in %s; %d cores"
            .formatted(
                megabytes(ceilings.iperf3MBps()),
                megabytes(ceilings.sinkMBps()),
                megabytes(ceilings.copyOutMBps()),
                megabytes(ceilings.copyInMBps()),
                ceilings.cores()));
    lines.add(
        "wire: of the better of iperf3 and sink; processor: of all cores, over the commit;"
            + " codec: its busier end");
    lines.add("copy: array to array on all cores; disk: with fsync; waiting: none above a half");
    return lines;
  }

  private static List<String> row(CeilingShare share) {
    return List.of(
        share.system(),
        megabytes(share.wireMBps()),
        part(share.wire()),
        part(share.processor()),
        part(share.codec()),
        part(share.copy()),
        part(share.disk()),
        share.binds() == null ? NOTHING : share.binds());
  }

  private static String megabytes(@Nullable Double value) {
    return value == null
        ? NOTHING
        : String.format(Locale.ROOT, value < 1000 ? "%.1f" : "%.0f", value);
  }

  private static String part(@Nullable Double value) {
    return value == null ? NOTHING : String.format(Locale.ROOT, "%.2f", value);
  }
}
