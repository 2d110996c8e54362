package io.drayage.cli.explain;

import io.drayage.bench.ByteSize;
import io.drayage.bench.system.SystemUnderTest;
import io.drayage.cli.options.CargoOptions;
import io.drayage.cli.options.LinkOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of {@code drayage profile}. */
final class ProfileOptions {
  /** Profiled if no system is named: the published one, and ours. */
  static final List<String> DEFAULT_SYSTEMS = List.of("grpc:java+none", "netty:raw+none@2");

  static final String DEFAULT_FOLDER = "drayage-profile";

  @Mixin CargoOptions from = new CargoOptions();

  @Option(
      names = "--size",
      paramLabel = "SIZE",
      defaultValue = "256MB",
      description = "Size of a cargo of thesis or tpch (default: ${DEFAULT-VALUE}).")
  ByteSize size = ByteSize.parse("256MB");

  @Option(
      names = "--system",
      paramLabel = "SYSTEM",
      split = ",",
      description =
          "What to profile, as in 'drayage throughput'; may be repeated. The others are compared"
              + " with grpc:java+none, or with the first if that is not among them. Default:"
              + " grpc:java+none and netty:raw+none@2.")
  List<SystemUnderTest> systems = new ArrayList<>();

  @Mixin LinkOptions link = new LinkOptions();

  @Option(
      names = "--event",
      paramLabel = "EVENT",
      split = ",",
      defaultValue = "cpu,wall,alloc",
      description =
          "What to sample: cpu, wall, alloc, lock, nativemem (default: ${DEFAULT-VALUE}).")
  List<String> events = new ArrayList<>();

  @Option(
      names = "--no-kernel-frames",
      description =
          "Sample the processor by timers, which see no kernel. Cheaper where threads change often:"
              + " see the overhead that is printed.")
  boolean noKernelFrames;

  @Option(
      names = "--iterations",
      paramLabel = "N",
      defaultValue = "2",
      description =
          "Measured iterations of each system; it has two pairs of processes, and memory for two, of"
              + " which one is recorded (default: ${DEFAULT-VALUE}).")
  int iterations;

  @Option(
      names = "--warmup",
      paramLabel = "N",
      defaultValue = "3",
      description =
          "Iterations of each system before them; all but the last two ship the smaller cargo of"
              + " --experiment-size (default: ${DEFAULT-VALUE}).")
  int warmup;

  @Option(
      names = "--experiments",
      paramLabel = "N",
      defaultValue = "6",
      description =
          "Turns of the experiments that remove one suspect each, at least 5; 0 for none; more"
              + " give surer verdicts (default: ${DEFAULT-VALUE}).")
  int experiments;

  @Option(
      names = "--experiment-warmup",
      paramLabel = "N",
      defaultValue = "2",
      description = "Turns before them whose results are dropped (default: ${DEFAULT-VALUE}).")
  int experimentWarmup;

  @Option(
      names = "--experiment-size",
      paramLabel = "SIZE",
      defaultValue = "24MB",
      description =
          "Size of the cargo of experiments and early warm-ups, at most that of --size (default:"
              + " ${DEFAULT-VALUE}).")
  ByteSize experimentSize = ByteSize.parse("24MB");

  /** Where everything goes. */
  Path folder() {
    return from.out == null ? Path.of(DEFAULT_FOLDER) : from.out;
  }
}
