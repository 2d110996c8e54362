package io.drayage.bench.ladder;

import io.drayage.bench.ByteSize;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of {@code drayage ladder}, as picocli fills them in. */
final class LadderOptions {
  @Option(
      names = "--size",
      paramLabel = "SIZE",
      defaultValue = "1GB",
      description = "Size of a cargo of thesis or tpch (default: ${DEFAULT-VALUE}).")
  ByteSize size = ByteSize.parse("1GB");

  @Option(
      names = "--cargo",
      paramLabel = "CARGO",
      defaultValue = "thesis",
      description =
          "What is shipped: thesis, tpch[:sf=N], or a file that 'drayage cargo write' made"
              + " (default: ${DEFAULT-VALUE}).")
  String cargo = "thesis";

  @Option(
      names = "--iterations",
      paramLabel = "N",
      defaultValue = "5",
      description = "Measured iterations of each rung (default: ${DEFAULT-VALUE}).")
  int iterations;

  @Option(
      names = "--warmup",
      paramLabel = "N",
      defaultValue = "2",
      description = "Iterations of each rung before them (default: ${DEFAULT-VALUE}).")
  int warmup;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Seed of the cargo's values (default: ${DEFAULT-VALUE}).")
  long seed;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Keep run.json and the logs of all processes in DIR.")
  @Nullable Path out;

  @Option(names = "--json", paramLabel = "FILE", description = "Write the result to FILE as JSON.")
  @Nullable Path json;
}
