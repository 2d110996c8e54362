package io.drayage.bench.codecs;

import picocli.CommandLine.Option;

/** The options of the commands that measure time, as picocli fills them in. */
final class TimingOptions {
  @Option(
      names = "--iterations",
      paramLabel = "N",
      defaultValue = "5",
      description = "Measured cargoes of each codec and process (default: ${DEFAULT-VALUE}).")
  int iterations;

  @Option(
      names = "--warmup",
      paramLabel = "N",
      defaultValue = "3",
      description = "Cargoes before them (default: ${DEFAULT-VALUE}).")
  int warmup;

  @Option(
      names = "--forks",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Processes of each codec, in turns with those of the others (default:"
              + " ${DEFAULT-VALUE}).")
  int forks;

  @Option(
      names = "--alloc",
      description = "Show what one more cargo allocates on the heap, for each segment or MB.")
  boolean alloc;

  @Option(
      names = "--profile",
      description =
          "Record the measured cargoes, and leave flame graphs of each codec (cpu, alloc) in the"
              + " folder of the result. Times are then those of a profiled process.")
  boolean profile;
}
