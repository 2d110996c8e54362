package io.drayage.cli.compare;

import io.drayage.bench.ByteSize;
import io.drayage.cli.options.CargoOptions;
import io.drayage.cli.options.LinkOptions;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of {@code drayage ladder}, as picocli fills them in. */
final class LadderOptions {
  @Mixin CargoOptions from = new CargoOptions();

  @Option(
      names = "--size",
      paramLabel = "SIZE",
      defaultValue = "1GB",
      description = "Size of a cargo of thesis or tpch (default: ${DEFAULT-VALUE}).")
  ByteSize size = ByteSize.parse("1GB");

  @Mixin LinkOptions link = new LinkOptions();

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
}
