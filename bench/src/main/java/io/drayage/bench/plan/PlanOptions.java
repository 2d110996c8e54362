package io.drayage.bench.plan;

import io.drayage.bench.ByteSize;
import io.drayage.bench.LinkRate;
import io.drayage.bench.system.SystemNotation;
import io.drayage.bench.system.SystemUnderTest;
import io.drayage.cli.options.OptionChecks;
import io.drayage.cli.options.ResultOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of {@code drayage plan}, as picocli fills them in. */
final class PlanOptions {
  static final List<String> DEFAULT_SYSTEMS =
      List.of(
          "grpc:java+none",
          "grpc-tuned:raw+none@1",
          "netty:raw+none@1",
          "netty:raw+zstd:1@1",
          "netty:columnar+none@1",
          "netty:columnar+zstd:1@1");

  private static final int MAX_CORES = 1024;

  @Option(
      names = "--cores",
      paramLabel = "N",
      description = "Cores of each machine (default: those of this one).")
  int cores = Runtime.getRuntime().availableProcessors();

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "Codec threads on either side, for systems with segments (default: all cores).")
  @Nullable Integer threads;

  @Option(
      names = "--link",
      paramLabel = "RATE",
      defaultValue = "10gbit",
      description =
          "What lies between them: 10gbit, 500mbit, loopback (default: ${DEFAULT-VALUE}).")
  LinkRate link = LinkRate.LOOPBACK;

  @Option(
      names = "--size",
      paramLabel = "SIZE",
      defaultValue = "10GB",
      description = "Raw bytes of the cargo (default: ${DEFAULT-VALUE}).")
  ByteSize size = ByteSize.parse("10GB");

  @Option(names = "--shared", description = "Worker and transactor share one machine.")
  boolean shared;

  @Option(
      names = "--system",
      paramLabel = "SYSTEM",
      split = ",",
      description =
          "What to predict, with @1 for segments; may be repeated (default: the baseline and five"
              + " others).")
  List<SystemUnderTest> systems = new ArrayList<>();

  @Option(
      names = "--rates",
      paramLabel = "FILE",
      description =
          "Take what the systems cost from the --json of an earlier plan, instead of measuring it"
              + " now with a cargo of 200MB, a minute; columnar only for the link that it was"
              + " measured for.")
  @Nullable Path rates;

  @Option(
      names = "--check",
      description =
          "Measure at 1 and 2 threads over 1, 10 and 20 Gbit/s on this machine, and show how far the"
              + " model is off. Needs root and iproute2.")
  boolean check;

  @Mixin ResultOptions results = new ResultOptions();

  void validate(OptionChecks checks) {
    checks.require(
        cores >= 1 && cores <= MAX_CORES,
        "--cores must be 1 to %d, not %d".formatted(MAX_CORES, cores));
    checks.require(
        threads == null || (threads >= 1 && threads <= SystemNotation.MAX_THREADS),
        "--threads must be 1 to %d, not %d".formatted(SystemNotation.MAX_THREADS, threads));
    checks.require(size.bytes() >= 1, "--size must be at least a byte");
    Set<SystemUnderTest> seen = new HashSet<>();
    for (SystemUnderTest system : systems) {
      checks.require(
          !system.isPeer(), "--system %s: a peer's parts are not known".formatted(system));
      checks.require(
          !system.isParallel() || Integer.valueOf(1).equals(system.threads()),
          "--system %s: write @1, and the threads with --threads".formatted(system));
      checks.require(
          seen.add(system), "--system %s is named twice: name each once".formatted(system));
    }
    checks.require(
        rates == null || Files.isRegularFile(rates),
        "--rates %s is no file: name the --json of an earlier plan".formatted(rates));
    checks.requireWritable("--json", results.json);
    checks.requireFolder("--out", results.out);
  }

  Hosts hosts() {
    int count = threads == null ? cores : threads;
    return new Hosts(cores, count, count, shared);
  }

  @Nullable Double linkBytesPerSecond() {
    return link.isLoopback() ? null : (Double) (double) link.bytesPerSecond();
  }
}
