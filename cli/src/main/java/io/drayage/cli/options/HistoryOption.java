package io.drayage.cli.options;

import io.drayage.bench.history.HistoryFolder;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The folder of results over time, as picocli fills it in. */
public final class HistoryOption {
  @Option(
      names = "--history",
      paramLabel = "DIR",
      description = "A folder of results over time: a folder for each name, a JSON file a run.")
  private @Nullable Path folder;

  /** Returns the folder; null if the option is not given. */
  public @Nullable HistoryFolder folder() {
    return folder == null ? null : new HistoryFolder(folder);
  }

  /** Checks the option. */
  public void validate(OptionChecks checks) {
    checks.requireFolder("--history", folder);
  }

  /**
   * Checks the option, and another one that is given with it or not at all.
   *
   * @param option the other one, with the name of runs in the folder
   */
  public void validate(OptionChecks checks, String option, @Nullable String name) {
    validate(checks);
    checks.require(
        name != null || folder == null,
        "--history: name runs in it with %s NAME".formatted(option));
    if (name != null) {
      checks.require(folder != null, "%s: add --history DIR, its folder".formatted(option));
      checks.valid(() -> HistoryFolder.requireName(option, name));
    }
  }
}
