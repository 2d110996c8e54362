package io.drayage.cli;

import static java.util.Locale.ROOT;

import io.drayage.transport.HostPort;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** {@code drayage config}. */
@Command(
    name = "config",
    mixinStandardHelpOptions = true,
    description = {"Shows the settings of a command, and the source of each.", ""},
    subcommands = ConfigCommand.Show.class)
final class ConfigCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "name what to do: show");
  }

  /** {@code drayage config show}. */
  @Command(
      name = "show",
      mixinStandardHelpOptions = true,
      description = {
        "Prints the options of a command, each with its value and the source of the value: the"
            + " command line, the environment, the file of --config, or the default. Does not run"
            + " the command.",
        ""
      },
      footer = {
        "",
        "Examples:",
        "  drayage config show throughput --link 1gbit",
        "Examples, with a file of settings:",
        "  drayage config show worker follow --config node.conf"
      })
  static final class Show implements Runnable {
    @Parameters(
        arity = "1..*",
        paramLabel = "COMMAND",
        description = "The command with its options.")
    private List<String> words = new ArrayList<>();

    @Spec private CommandSpec spec;

    @Override
    public void run() {
      CommandLine root = spec.root().commandLine();
      CommandLine own = Drayage.commandLine(settings(root).environment());
      own.getCommandSpec().parser().collectErrors(true);
      own.getSubcommands().values().forEach(Show::collectErrors);
      ParseResult parsed = own.parseArgs(words.toArray(String[]::new));
      List<Exception> errors = new ArrayList<>();
      while (parsed.hasSubcommand()) {
        errors.addAll(parsed.errors());
        parsed = parsed.subcommand();
      }
      errors.addAll(parsed.errors());
      for (Exception error : errors) {
        if (!(error instanceof MissingParameterException)) {
          throw new ParameterException(spec.commandLine(), String.valueOf(error.getMessage()));
        }
      }
      if (parsed.commandSpec().options().stream().noneMatch(Show::isSetting)) {
        throw new ParameterException(
            spec.commandLine(),
            "name a command: %s".formatted(parsed.commandSpec().subcommands().keySet()));
      }
      print(parsed, settings(own));
    }

    private static void collectErrors(CommandLine command) {
      command.getCommandSpec().parser().collectErrors(true);
      command.getSubcommands().values().forEach(Show::collectErrors);
    }

    private static Settings settings(CommandLine of) {
      return (Settings) of.getDefaultValueProvider();
    }

    private static boolean isSetting(OptionSpec option) {
      return !option.usageHelp() && !option.versionHelp() && !option.inherited();
    }

    /** Returns the value as a user types it, with spaces between several values. */
    private static String valueOf(OptionSpec option) {
      String between = option.splitRegex().isEmpty() ? " " : option.splitRegex();
      return option.getValue() instanceof Collection<?> values
          ? values.stream().map(Show::text).collect(Collectors.joining(between))
          : text(option.getValue());
    }

    private static String text(@Nullable Object value) {
      if (value instanceof Duration time) {
        return time.isZero() ? "0" : time.toString().substring("PT".length()).toLowerCase(ROOT);
      }
      return value instanceof InetSocketAddress address
          ? HostPort.text(address)
          : String.valueOf(value);
    }

    private void print(ParseResult parsed, Settings settings) {
      PrintWriter out = spec.commandLine().getOut();
      for (OptionSpec option : parsed.commandSpec().options()) {
        if (isSetting(option)) {
          String value = valueOf(option);
          boolean isSet = !value.equals("null") && !value.isEmpty();
          out.printf(
              "%-24s %-32s %s%n",
              option.longestName(),
              isSet ? value : "-",
              parsed.hasMatchedOption(option)
                  ? "command line"
                  : isSet || !option.required() ? settings.source(option) : "required");
        }
      }
    }
  }
}
