package io.drayage.cli.options;

import io.drayage.bench.config.TunedConfig;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The file of settings that a command takes, as picocli fills it in. */
public final class ConfigOptions {
  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "Settings that 'drayage tune' wrote; what the command line says wins.")
  private @Nullable Path file;

  /** What the file says; nothing if there is none. What is wrong with it is wrong usage. */
  public TunedConfig read(OptionChecks checks) {
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
