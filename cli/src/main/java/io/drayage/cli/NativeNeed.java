package io.drayage.cli;

import io.drayage.bench.environment.NativeCode;
import java.io.IOException;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ExecutionException;
import picocli.CommandLine.ParseResult;

/**
 * Refuses a command that would fail at its first native library. Without this check, the command
 * would call a sound store corrupt.
 */
final class NativeNeed {
  /** Commands that need no native code. {@code doctor} itself reports a missing library. */
  private static final Set<String> NONE =
      Set.of(
          "drayage",
          "drayage archive",
          "drayage cargo",
          "drayage cargo show",
          "drayage completion",
          "drayage config",
          "drayage config show",
          "drayage doctor",
          "drayage compare",
          "drayage report",
          "drayage snapshot list",
          "drayage snapshot show",
          "drayage snapshot copy",
          "drayage snapshot restore",
          "drayage transactor step-down",
          "drayage transactor maintenance",
          "drayage worker status");

  private NativeNeed() {}

  /**
   * Checks a command.
   *
   * @throws ExecutionException if it needs native code, and none can be loaded
   */
  static void require(ParseResult arguments) {
    require(arguments, NativeCode::whyNotLoadable);
  }

  static void require(ParseResult arguments, Supplier<@Nullable String> whyNot) {
    ParseResult last = arguments;
    boolean isHelp = isHelp(last);
    while (last.hasSubcommand()) {
      last = last.subcommand();
      isHelp |= isHelp(last);
    }
    CommandLine command = last.commandSpec().commandLine();
    String name = last.commandSpec().qualifiedName();
    if (isHelp || NONE.contains(name) || name.startsWith("drayage transactor maintenance ")) {
      return;
    }
    String reason = whyNot.get();
    if (reason != null) {
      throw new ExecutionException(command, reason, new IOException(reason));
    }
  }

  private static boolean isHelp(ParseResult arguments) {
    return arguments.isUsageHelpRequested() || arguments.isVersionHelpRequested();
  }
}
