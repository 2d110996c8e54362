package io.drayage.cli.options;

import io.drayage.bench.result.Result;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The file of a command's result as JSON, as picocli fills it in. */
public class JsonOption {
  @Option(names = "--json", paramLabel = "FILE", description = "Write the result to FILE as JSON.")
  public @Nullable Path json;

  /** Checks the options. */
  public void validate(OptionChecks checks) {
    checks.requireWritable("--json", json);
  }

  /** Writes the result, if the option is given. */
  public final void write(Result<?> result) throws IOException {
    if (json != null) {
      result.writeTo(json);
    }
  }
}
