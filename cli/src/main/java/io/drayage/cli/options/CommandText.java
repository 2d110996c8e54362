package io.drayage.cli.options;

import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;

/** The command that a user gave, as it stands beside a result. */
public final class CommandText {
  private CommandText() {}

  /**
   * {@code ./drayage throughput --size 1GB}; arguments that a shell would take apart are quoted.
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
