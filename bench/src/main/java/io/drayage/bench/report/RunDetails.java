package io.drayage.bench.report;

import com.fasterxml.jackson.databind.JsonNode;
import io.drayage.bench.page.Section;
import io.drayage.bench.page.Table;
import io.drayage.bench.table.Cell;
import io.drayage.bench.table.Tone;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** Where and how runs were made: a column a run. */
final class RunDetails {
  private RunDetails() {}

  static void add(Section section, List<ReportRun> runs, List<String> labels) {
    for (int i = 0; i < runs.size(); i++) {
      String command = runs.get(i).command();
      if (command != null) {
        section.preformatted("Command: " + labels.get(i), command);
      }
    }
    section.table(table("Machine and build", runs, labels, ReportRun::environment));
    for (int i = 0; i < runs.size(); i++) {
      String state = runs.get(i).linkState();
      String label = labels.get(i);
      if (state != null) {
        section.folded("Link: " + label, inner -> inner.preformatted("tc, ip, ss", state));
      }
    }
    section.folded(
        "Configuration",
        inner -> inner.table(table("Configuration", runs, labels, ReportRun::config)));
  }

  private static Table table(
      String caption,
      List<ReportRun> runs,
      List<String> labels,
      Function<ReportRun, JsonNode> part) {
    List<Map<String, String>> flat = new ArrayList<>();
    Set<String> names = new LinkedHashSet<>();
    for (ReportRun run : runs) {
      Map<String, String> values = new HashMap<>();
      flatten("", part.apply(run), values, names);
      flat.add(values);
    }
    Table table = new Table(caption).text("what");
    labels.forEach(table::text);
    for (String name : names) {
      List<Cell> cells = new ArrayList<>();
      cells.add(Cell.text(name));
      flat.forEach(
          values -> {
            String value = values.get(name);
            cells.add(value == null ? Cell.NONE : Cell.text(value).wrapped());
          });
      table.row(Tone.PLAIN, cells);
    }
    return table;
  }

  private static void flatten(
      String prefix, JsonNode node, Map<String, String> values, Set<String> names) {
    for (Map.Entry<String, JsonNode> field : node.properties()) {
      String name = prefix + field.getKey();
      JsonNode value = field.getValue();
      if (value.isObject()) {
        flatten(name + ".", value, values, names);
      } else if (!value.isNull()) {
        names.add(name);
        values.put(name, text(value));
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
