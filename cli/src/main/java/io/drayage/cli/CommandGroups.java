package io.drayage.cli;

import io.drayage.bench.report.TerminalText;
import io.drayage.bench.report.Terms;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Help;

/** The list of commands in {@code --help}, grouped by purpose. */
final class CommandGroups {
  private static final int COLUMNS = 100;
  private static final Map<String, List<String>> GROUPS = groups();

  private CommandGroups() {}

  private static Map<String, List<String>> groups() {
    Map<String, List<String>> groups = new LinkedHashMap<>();
    groups.put("Compare", List.of("throughput", "ladder", "tune", "commits", "compare", "report"));
    groups.put(
        "Explain",
        List.of(
            "profile", "ceiling", "sizes", "serialization", "deserialization", "study", "doctor"));
    groups.put("Your data", List.of("cargo", "columns"));
    groups.put("Run a cluster", List.of("transactor", "worker", "snapshot"));
    groups.put("Set up", List.of("config", "completion"));
    return groups;
  }

  /** Renders the list, with commands of no group at the end. */
  static String render(Help help) {
    Map<String, Help> left = new LinkedHashMap<>(help.subcommands());
    int width = left.keySet().stream().mapToInt(String::length).max().orElse(0);
    StringBuilder text = new StringBuilder();
    GROUPS.forEach(
        (title, names) -> {
          List<String> rows = new ArrayList<>();
          for (String name : names) {
            Help command = left.remove(name);
            if (command != null) {
              rows.add(row(name, command, width));
            }
          }
          append(text, title, rows);
        });
    List<String> others = new ArrayList<>();
    left.forEach((name, command) -> others.add(row(name, command, width)));
    append(text, "Other commands", others);
    return text.toString();
  }

  private static void append(StringBuilder text, String title, List<String> rows) {
    if (!rows.isEmpty()) {
      text.append("%n%s:%n".formatted(title));
      rows.forEach(row -> text.append(row).append(System.lineSeparator()));
    }
  }

  private static String row(String name, Help command, int width) {
    String[] description = command.commandSpec().usageMessage().description();
    String all = description.length == 0 ? "" : description[0].replace("%%", "%");
    int end = all.indexOf(". ");
    String first = end < 0 ? all.replaceAll("\\.$", "") : all.substring(0, end);
    return explained(name, first, width, COLUMNS);
  }

  /** Renders the terms of a command's output, for its help. */
  static String terms(Help help) {
    Map<String, String> terms = Terms.all();
    int width = terms.keySet().stream().mapToInt(String::length).max().orElse(0);
    int columns = Math.min(COLUMNS, help.commandSpec().usageMessage().width());
    StringBuilder text = new StringBuilder("%nTerms:%n".formatted());
    terms.forEach(
        (term, explanation) ->
            text.append(explained(term, explanation, width, columns))
                .append(System.lineSeparator()));
    return text.toString();
  }

  private static String explained(String name, String text, int width, int columns) {
    String indent = System.lineSeparator() + " ".repeat(width + 4);
    return ("  %-" + width + "s  %s")
        .formatted(name, String.join(indent, TerminalText.wrapped(text, columns - width - 4)));
  }
}
