package io.drayage.bench.history;

import static io.drayage.internal.Texts.format;

import io.drayage.bench.compare.ComparedMetric;
import io.drayage.bench.compare.Comparison;
import io.drayage.bench.report.ReportRun;
import io.drayage.cargo.Names;
import io.drayage.codec.WholeFile;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs that were kept under one name and can be compared: all are of one cargo, link and machine.
 *
 * @param name under which they were kept
 * @param file the name of its table for other tools, unlike that of any other history
 * @param runs in the order of time
 * @param trends of each system that was measured, and of each of its metrics
 */
public record History(String name, String file, List<ReportRun> runs, List<Trend> trends) {
  /** Older runs are not shown: a chart has no room for more. */
  private static final int MAX_RUNS = 200;

  public History {
    runs = List.copyOf(runs);
    trends = List.copyOf(trends);
  }

  /**
   * Reads all histories of a folder: those of a name beside each other, the newest first.
   *
   * @throws IOException as {@link HistoryFolder#runs}
   */
  public static List<History> read(HistoryFolder folder) throws IOException {
    List<History> histories = new ArrayList<>();
    Set<String> files = new HashSet<>();
    for (String name : folder.names()) {
      for (List<ReportRun> runs : alike(folder.runs(name))) {
        String file = name + ".csv";
        for (int number = 2; !files.add(file); number++) {
          file = format("%s-%d.csv", name, number);
        }
        List<ReportRun> last = runs.subList(Math.max(0, runs.size() - MAX_RUNS), runs.size());
        histories.add(new History(name, file, last, trends(last)));
      }
    }
    return histories;
  }

  /** Returns the runs in groups that can be compared, the group of the last run first. */
  private static List<List<ReportRun>> alike(List<ReportRun> runs) {
    List<List<ReportRun>> groups = new ArrayList<>();
    for (int i = runs.size() - 1; i >= 0; i--) {
      ReportRun run = runs.get(i);
      List<ReportRun> group =
          groups.stream()
              .filter(one -> Comparison.unlike(one.get(0), run, false).isEmpty())
              .findFirst()
              .orElse(null);
      if (group == null) {
        group = new ArrayList<>();
        groups.add(group);
      }
      group.add(0, run);
    }
    return groups;
  }

  private static List<Trend> trends(List<ReportRun> runs) {
    boolean hasOneBaseline = runs.stream().map(ReportRun::baseline).distinct().count() == 1;
    return runs.stream()
        .flatMap(run -> run.systems().stream())
        .distinct()
        .flatMap(
            system ->
                Arrays.stream(ComparedMetric.values())
                    .filter(metric -> hasOneBaseline || metric != ComparedMetric.RELATIVE)
                    .map(metric -> Trend.of(runs, system, metric)))
        .filter(Trend::isMeasured)
        .toList();
  }

  /** Name, cargo, link and machine. */
  String describe() {
    ReportRun last = runs.get(runs.size() - 1);
    return Names.escaped(
        "%s: %s, %s, %s cores"
            .formatted(
                name,
                last.describe(),
                last.environment().path("cpu").asText("?"),
                last.environment().path("cores").asText("?")));
  }

  /**
   * Writes a table for other tools, such as Apache Otava: a line a run, with its time, its commit,
   * and the median of each metric in seconds, in bytes or as a ratio.
   *
   * @param folder receives the {@link #file}
   * @throws IOException if it cannot be written
   */
  public void writeTable(Path folder) throws IOException {
    StringBuilder table = new StringBuilder();
    append(table, Stream.concat(Stream.of("time", "commit"), trends.stream().map(Trend::name)));
    for (int i = 0; i < runs.size(); i++) {
      int run = i;
      append(
          table,
          Stream.concat(
              Stream.of(String.valueOf(runs.get(run).time()), revision(runs.get(run))),
              trends.stream().map(trend -> text(trend.median(run)))));
    }
    byte[] bytes = table.toString().getBytes(StandardCharsets.UTF_8);
    WholeFile.stream(folder.resolve(file), out -> out.write(bytes));
  }

  /** Returns the whole commit, or what stands in its place. */
  private static String revision(ReportRun run) {
    return run.environment().path("commit").asText();
  }

  private static void append(StringBuilder table, Stream<String> cells) {
    table.append(cells.map(History::quoted).collect(Collectors.joining(","))).append('\n');
  }

  private static String quoted(String cell) {
    String shown = Names.escaped(cell);
    return shown.contains(",") || shown.contains("\"")
        ? '"' + shown.replace("\"", "\"\"") + '"'
        : shown;
  }

  private static String text(@Nullable Double value) {
    return value == null ? "" : BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
  }

  /** Returns the time of a run, to the minute. */
  static String minute(ReportRun run) {
    return Objects.requireNonNull(run.time()).toString().substring(0, 16).replace('T', ' ');
  }

  /** Returns the revision of a run, with a plus if its build had other changes; else its date. */
  static String label(ReportRun run) {
    boolean isDirty = run.environment().path("dirty").asBoolean();
    String revision = run.revision();
    return revision.isEmpty() ? minute(run).substring(5, 10) : revision + (isDirty ? "+" : "");
  }
}
