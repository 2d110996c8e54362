package io.drayage.cli.options;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The folder for the results of a measurement, as picocli fills it in. */
public class ResultOptions extends JsonOption {
  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Keep run.json and the logs of all processes in DIR.")
  public @Nullable Path out;

  @Override
  public void validate(OptionChecks checks) {
    super.validate(checks);
    checks.requireFolder("--out", out);
  }
}
