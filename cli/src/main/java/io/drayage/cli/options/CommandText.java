package io.drayage.cli.options;

import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;

/** The text of the command that a user gave, for its result. */
public final class CommandText {
  private CommandText() {}

  /**
   * Returns the text, such as {@code ./drayage throughput --size 1GB}. It quotes arguments that a
   * shell would split.
   */
  public static String of(CommandSpec command) {
    return command.root().commandLine().getParseResult().originalArgs().stream()
        .map(CommandText::quoted)
        .collect(Collectors.joining(" ", "./drayage ", ""));
  }

  private static String quoted(String argument) {
    return argument.matches("[A-Za-z0-9_@%+=:,./-]+")
        ? argument
        : "'" + argument.replace("'", "'\\''") + "'";
  }
}
