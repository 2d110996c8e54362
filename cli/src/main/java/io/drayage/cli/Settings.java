package io.drayage.cli;

import io.drayage.bench.config.SettingsFile;
import io.drayage.codec.WholeFile;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/**
 * The values of options that the command line leaves out. First come those of the environment, such
 * as {@code DRAYAGE_THROUGHPUT_LINK_RATE} for {@code --link-rate} of {@code throughput}, then those
 * of the file that {@code --config} names, then the defaults. The threads in a file belong to its
 * system. Not thread-safe.
 */
final class Settings implements IDefaultValueProvider {
  /** The option that names the file, in all commands. */
  static final String CONFIG = "--config";

  /** The character that Java reads for bytes that are not UTF-8. */
  static final char UNREADABLE = '\ufffd';

  private static final String PREFIX = "--";
  private static final String SYSTEM = "system";
  private static final Set<String> THREADS = Set.of("worker-threads", "transactor-threads");

  private final Function<String, @Nullable String> environment;
  private Map<String, String> ofFile = Map.of();
  private @Nullable String file;

  /**
   * @param environment returns the value of a variable
   */
  Settings(Function<String, @Nullable String> environment) {
    this.environment = environment;
  }

  /**
   * Reads the file that the arguments name, before they are parsed.
   *
   * @throws ParameterException if the file cannot be read, or sets an option that no command has
   */
  void readFile(CommandLine root, String... args) {
    ofFile = Map.of();
    List<String> all = Arrays.asList(args);
    file = valueOf(CONFIG, all);
    if (file == null) {
      return;
    }
    CommandLine command = commandOf(root, all);
    if (WholeFile.isNamedPipe(Path.of(file))) {
      throw new ParameterException(
          command, "--config %s is a pipe, which may have no writer: name a file".formatted(file));
    }
    try {
      Map<String, String> settings = SettingsFile.read(Path.of(file));
      Set<String> known = new HashSet<>();
      addNames(root, known);
      for (String key : settings.keySet()) {
        if (!known.contains(key)) {
          throw new IllegalArgumentException(
              "%s: no command has an option --%s".formatted(file, key));
        }
      }
      if (settings.containsKey(SYSTEM) && valueOf(PREFIX + SYSTEM, all) != null) {
        settings.keySet().removeAll(THREADS);
      }
      ofFile = settings;
    } catch (CharacterCodingException e) {
      throw new ParameterException(
          command, "--config %s is not in UTF-8: convert it with iconv".formatted(file));
    } catch (NoSuchFileException e) {
      throw new ParameterException(command, "--config %s: there is no such file".formatted(file));
    } catch (IOException e) {
      throw new ParameterException(
          command, "--config %s cannot be read: %s".formatted(file, e.getMessage()));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command, "--config " + e.getMessage());
    }
  }

  private static @Nullable String valueOf(String option, List<String> args) {
    for (int i = 0; i < args.size(); i++) {
      if (args.get(i).startsWith(option + "=")) {
        return args.get(i).substring(option.length() + 1);
      }
      if (args.get(i).equals(option) && i + 1 < args.size()) {
        return args.get(i + 1);
      }
    }
    return null;
  }

  /** Returns the command that messages name. */
  private static CommandLine commandOf(CommandLine root, List<String> args) {
    CommandLine command = root;
    for (String arg : args) {
      CommandLine next = command.getSubcommands().get(arg);
      if (next == null) {
        break;
      }
      command = next;
    }
    return command;
  }

  private static void addNames(CommandLine command, Set<String> names) {
    command.getCommandSpec().options().forEach(option -> names.addAll(keys(option)));
    command.getSubcommands().values().forEach(below -> addNames(below, names));
  }

  /** Returns the long names of an option, without their dashes. */
  private static List<String> keys(OptionSpec option) {
    return Stream.of(option.names())
        .filter(name -> name.startsWith(PREFIX))
        .map(name -> name.substring(PREFIX.length()))
        .toList();
  }

  @Override
  public @Nullable String defaultValue(ArgSpec argument) {
    if (!(argument instanceof OptionSpec option)
        || option.usageHelp()
        || option.versionHelp()
        || option.longestName().equals(CONFIG)) {
      return null;
    }
    List<String> keys = keys(option);
    return Stream.concat(
            keys.stream().map(key -> ofEnvironment(option, key)),
            keys.stream().map(key -> ofFile(option, key)))
        .filter(Objects::nonNull)
        .findFirst()
        .map(value -> value.replace("$", "$$")) // Picocli would replace variables in it.
        .orElse(null);
  }

  private @Nullable String ofEnvironment(OptionSpec option, String key) {
    String value = environment.apply(variable(option, key));
    if (value != null && value.indexOf(UNREADABLE) >= 0) {
      throw new ParameterException(
          option.command().commandLine(),
          "%s=%s is not in UTF-8: convert it with iconv".formatted(variable(option, key), value));
    }
    return value;
  }

  private static String variable(OptionSpec option, String key) {
    return "%s %s"
        .formatted(option.command().qualifiedName(), key)
        .replaceAll("[ -]", "_")
        .toUpperCase(Locale.ROOT);
  }

  /** Returns the source of an option's value that is not on the command line. */
  String source(OptionSpec option) {
    for (String key : keys(option)) {
      if (ofEnvironment(option, key) != null) {
        return "environment " + variable(option, key);
      }
    }
    boolean isOfFile = keys(option).stream().anyMatch(key -> ofFile(option, key) != null);
    return isOfFile ? "file " + file : "default";
  }

  Function<String, @Nullable String> environment() {
    return environment;
  }

  private @Nullable String ofFile(OptionSpec option, String key) {
    boolean isOfAnotherSystem =
        THREADS.contains(key)
            && ofFile.containsKey(SYSTEM)
            && ofEnvironment(option, SYSTEM) != null;
    return isOfAnotherSystem ? null : ofFile.get(key);
  }
}
