package io.drayage.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.drayage.bench.ByteSize;
import io.drayage.bench.LinkSpeed;
import io.drayage.bench.environment.BuildInfo;
import io.drayage.bench.rig.ClassArchive;
import io.drayage.bench.system.SystemUnderTest;
import io.drayage.bench.system.Systems;
import io.drayage.cli.cluster.FailStop;
import io.drayage.cli.cluster.TransactorCommand;
import io.drayage.cli.cluster.WorkerCommand;
import io.drayage.cli.compare.CommitsCommand;
import io.drayage.cli.compare.CompareCommand;
import io.drayage.cli.compare.LadderCommand;
import io.drayage.cli.compare.ReportCommand;
import io.drayage.cli.compare.ThroughputCommand;
import io.drayage.cli.compare.TuneCommand;
import io.drayage.cli.data.CargoCommand;
import io.drayage.cli.data.ColumnsCommand;
import io.drayage.cli.explain.CeilingCommand;
import io.drayage.cli.explain.DeserializationCommand;
import io.drayage.cli.explain.DoctorCommand;
import io.drayage.cli.explain.ProfileCommand;
import io.drayage.cli.explain.SerializationCommand;
import io.drayage.cli.explain.SizesCommand;
import io.drayage.cli.explain.StudyCommand;
import io.drayage.cli.output.StandardOutput;
import io.drayage.cli.snapshot.SnapshotCommand;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExecutionException;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/**
 * The entry point of the {@code drayage} command line. Results go to standard output, progress and
 * errors to standard error. The exit code is 0 for success, 1 for a failure, 2 for wrong usage and
 * 3 for a regression. A node that {@link FailStop} ends also has 3. {@link
 * CommandErrors#PIPE_CLOSED} means that the reader of the output has gone.
 */
@Command(
    name = "drayage",
    mixinStandardHelpOptions = true,
    description = {"Ships change cargoes from workers to a transactor, and measures how fast.", ""},
    commandListHeading = "",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      ThroughputCommand.class,
      LadderCommand.class,
      ProfileCommand.class,
      CeilingCommand.class,
      TuneCommand.class,
      CommitsCommand.class,
      ReportCommand.class,
      CompareCommand.class,
      SizesCommand.class,
      SerializationCommand.class,
      DeserializationCommand.class,
      StudyCommand.class,
      CargoCommand.class,
      ColumnsCommand.class,
      SnapshotCommand.class,
      TransactorCommand.class,
      WorkerCommand.class,
      ArchiveCommand.class,
      CompletionCommand.class,
      ConfigCommand.class,
      DoctorCommand.class
    },
    footer = {"", "Examples:", "  drayage throughput --size 100MB"})
public final class Drayage implements Runnable {
  @Option(
      names = Settings.CONFIG,
      paramLabel = "FILE",
      scope = ScopeType.INHERIT,
      description =
          "A file of settings, a line OPTION = VALUE each, such as that of 'drayage tune'. The"
              + " environment (DRAYAGE_COMMAND_OPTION) overrides the file, the command line"
              + " overrides both.")
  @Nullable Path config;

  private static final String TERMS = "terms";

  /** The commands whose process is a node of a cluster. */
  private static final Set<String> NODES = Set.of("transactor", "worker");

  @Spec private CommandSpec spec;

  private Drayage() {}

  public static void main(String[] args) {
    Locale.setDefault(Locale.ROOT); // Libraries then print ASCII digits.
    String noArchive = ClassArchive.whyUnused();
    if (noArchive != null) {
      System.err.println("drayage: " + noArchive);
    }
    CommandLine commandLine = commandLine();
    commandLine.setExecutionStrategy(
        arguments -> {
          NativeNeed.require(arguments);
          if (isNode(arguments)) {
            FailStop.install();
          }
          return execute(arguments);
        });
    System.exit(run(commandLine, args));
  }

  /** Executes a command. The returned exit code is a failure if its output has not arrived. */
  static int run(CommandLine commandLine, String... args) {
    try {
      int code = commandLine.execute(args);
      commandLine.getOut().flush();
      return code;
    } catch (UncheckedIOException e) {
      return CommandErrors.failed(e.getCause(), commandLine);
    }
  }

  private static int execute(ParseResult arguments) {
    requireUtf8(arguments);
    try {
      return new CommandLine.RunLast().execute(arguments);
    } catch (UncheckedIOException e) { // A help text is printed outside of a command.
      throw new ExecutionException(
          arguments.commandSpec().commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  /**
   * Refuses an argument that Java could not decode, because a command would store the wrong text.
   */
  private static void requireUtf8(ParseResult arguments) {
    for (String argument : arguments.expandedArgs()) {
      if (argument.indexOf(Settings.UNREADABLE) >= 0) {
        throw new ParameterException(
            arguments.commandSpec().commandLine(),
            "the argument '%s' is not in UTF-8: convert it with iconv".formatted(argument));
      }
    }
  }

  private static boolean isNode(ParseResult arguments) {
    return arguments.hasSubcommand() && NODES.contains(arguments.subcommand().commandSpec().name());
  }

  /** Returns the whole command line. A caller may replace its standard output and error. */
  public static CommandLine commandLine() {
    return commandLine(System::getenv);
  }

  /** Returns a command line whose options can also be set in this environment. */
  static CommandLine commandLine(Function<String, @Nullable String> environment) {
    Settings settings = new Settings(environment);
    CommandLine commandLine =
        new CommandLine(new Drayage()) {
          @Override
          public ParseResult parseArgs(String... args) {
            settings.readFile(this, args);
            return super.parseArgs(args);
          }
        };
    complete(commandLine);
    commandLine
        .getHelpSectionMap()
        .put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, CommandGroups::render);
    for (String name : List.of("throughput", "ladder")) {
      CommandLine command = commandLine.getSubcommands().get(name);
      List<String> sections = new ArrayList<>(command.getHelpSectionKeys());
      sections.add(sections.indexOf(UsageMessageSpec.SECTION_KEY_FOOTER_HEADING), TERMS);
      command.setHelpSectionKeys(sections);
      command.getHelpSectionMap().put(TERMS, CommandGroups::terms);
    }
    commandLine
        .getSubcommands()
        .get("config")
        .getSubcommands()
        .get("show")
        .setStopAtPositional(true); // The arguments that follow belong to the shown command.
    return commandLine
        .setExecutionStrategy(Drayage::execute)
        .setOut(StandardOutput.writer())
        .setErr(new PrintWriter(new FileOutputStream(FileDescriptor.err), true, UTF_8))
        .setDefaultValueProvider(settings)
        .registerConverter(Duration.class, converter(Drayage::duration))
        .registerConverter(ByteSize.class, converter(ByteSize::parse))
        .registerConverter(LinkSpeed.class, converter(LinkSpeed::parse))
        .registerConverter(SystemUnderTest.class, converter(Systems.notation()::parse))
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setUsageHelpAutoWidth(true)
        .setParameterExceptionHandler(CommandErrors::wrongUsage)
        .setExecutionExceptionHandler(CommandErrors::failed);
  }

  /** Sets what all commands have in common. */
  private static void complete(CommandLine command) {
    command.getCommandSpec().versionProvider(new Version());
    command.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_FOOTER, Drayage::footer);
    command.getSubcommands().values().forEach(Drayage::complete);
  }

  /** Renders the examples without wrapping long lines, because users copy them. */
  private static String footer(CommandLine.Help help) {
    return Arrays.stream(help.commandSpec().usageMessage().footer())
        .map(line -> String.format(Locale.ROOT, line) + System.lineSeparator())
        .collect(Collectors.joining());
  }

  /** Parses {@code 90s}, {@code 5m}, {@code 1h30m} or {@code 0}. */
  private static Duration duration(String text) {
    if (text.equals("0")) {
      return Duration.ZERO;
    }
    try {
      return Duration.parse("PT" + text);
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException(
          "'%s' is no time: write 90s, 5m or 1h30m".formatted(text), e);
    }
  }

  private static <T> ITypeConverter<T> converter(Function<String, T> parser) {
    return text -> {
      try {
        return parser.apply(text);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    };
  }

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        "a command is missing: name one of " + String.join(", ", spec.subcommands().keySet()));
  }

  /** The text of {@code --version}. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      BuildInfo build = BuildInfo.load();
      String state = Boolean.TRUE.equals(build.dirty()) ? ", with changes" : "";
      return new String[] {
        "drayage %s (commit %s%s)".formatted(build.version(), build.commit(), state)
      };
    }
  }
}
