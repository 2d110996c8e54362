package io.drayage.cli.options;

import io.drayage.bench.config.TunedConfig;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Spec;

/** The settings of {@code --config} for commands that have no options of these names. */
@Command
public final class ConfigOptions {
  /** The option of all commands. */
  public static final String CONFIG = "--config";

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  /** Reads them; none without a file. A malformed file is wrong usage. */
  public TunedConfig read(OptionChecks checks) {
    OptionSpec option = command.findOption(CONFIG);
    Path file = option == null ? null : option.getValue();
    if (file == null) {
      return TunedConfig.NONE;
    }
    try {
      return TunedConfig.read(file);
    } catch (IOException e) {
      throw checks.usageError("--config %s cannot be read: %s".formatted(file, e));
    } catch (IllegalArgumentException e) {
      throw checks.usageError("--config " + e.getMessage());
    }
  }
}
