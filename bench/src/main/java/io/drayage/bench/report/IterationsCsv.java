package io.drayage.bench.report;

import io.drayage.bench.result.Run;
import io.drayage.bench.result.Utilisation;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Every iteration as a line of CSV, in the names of the JSON; what was not measured is empty. */
final class IterationsCsv {
  private record Column(String name, Function<Run, @Nullable Object> value) {}

  private static final List<Column> COLUMNS = columns();

  private IterationsCsv() {}

  private static List<Column> columns() {
    List<Column> columns = new ArrayList<>();
    columns.add(new Column("system", Run::system));
    columns.add(new Column("iteration", Run::iteration));
    columns.add(new Column("status", Run::status));
    columns.add(new Column("group", Run::group));
    columns.add(new Column("rawBytes", Run::rawBytes));
    columns.add(new Column("wireBytes", Run::wireBytes));
    columns.add(new Column("frames", Run::frames));
    columns.add(new Column("digestOk", Run::digestOk));
    columns.add(new Column("sqS", Run::sqS));
    columns.add(new Column("commitS", Run::commitS));
    columns.add(new Column("diskS", Run::diskS));
    columns.add(new Column("cpuS", Run::cpuS));
    columns.add(new Column("workerPeakBytes", Run::workerPeakBytes));
    columns.add(new Column("transactorPeakBytes", Run::transactorPeakBytes));
    columns.add(new Column("workerBeyondCargoBytes", Run::workerBeyondCargoBytes));
    columns.add(new Column("transactorBeyondCargoBytes", Run::transactorBeyondCargoBytes));
    for (String phase :
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
            "load")) {
      columns.add(new Column(phase + "S", run -> run.phases().byName().get(phase)));
    }
    columns.add(new Column("encodeUtilisation", run -> of(run, Utilisation::encode)));
    columns.add(new Column("sendUtilisation", run -> of(run, Utilisation::send)));
    columns.add(new Column("receiveUtilisation", run -> of(run, Utilisation::receive)));
    columns.add(new Column("decodeUtilisation", run -> of(run, Utilisation::decode)));
    columns.add(new Column("commitUtilisation", run -> of(run, Utilisation::commit)));
    columns.add(new Column("error", Run::error));
    return List.copyOf(columns);
  }

  private static @Nullable Object of(Run run, Function<Utilisation, @Nullable Double> stage) {
    Utilisation utilisation = run.utilisation();
    return utilisation == null ? null : stage.apply(utilisation);
  }

  /** The whole file, with headings. */
  static String of(List<Run> runs) {
    StringBuilder csv = new StringBuilder();
    csv.append(COLUMNS.stream().map(Column::name).collect(Collectors.joining(","))).append('\n');
    for (Run run : runs) {
      csv.append(
              COLUMNS.stream()
                  .map(column -> cell(column.value.apply(run)))
                  .collect(Collectors.joining(",")))
          .append('\n');
    }
    return csv.toString();
  }

  private static String cell(@Nullable Object value) {
    String text =
        value instanceof Double number
            ? String.format(Locale.ROOT, "%.9f", number)
            : Objects.toString(value, "");
    return text.matches("[^\",\\r\\n]*") ? text : "\"" + text.replace("\"", "\"\"") + "\"";
  }
}
