package io.drayage.cli.compare;

import io.drayage.bench.ByteSize;
import io.drayage.bench.rig.Commits;
import io.drayage.bench.system.Contender;
import io.drayage.bench.system.SystemOptions;
import io.drayage.bench.system.SystemUnderTest;
import io.drayage.cli.options.CargoOptions;
import io.drayage.cli.options.ConfigOptions;
import io.drayage.cli.options.LinkOptions;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of {@code drayage throughput}, as picocli fills them in. */
final class ThroughputOptions {
  /** Compared if no system is named: the baseline, and what each step from it brings. */
  static final List<String> DEFAULT_SYSTEMS =
      List.of(
          "grpc:java+none",
          "netty:java+none",
          "grpc:raw+none@cores",
          "netty:raw+none@1",
          "netty:raw+none@cores");

  static final String BASELINE = "grpc:java+none";

  @Mixin CargoOptions from = new CargoOptions();

  @Option(
      names = "--size",
      paramLabel = "SIZE",
      defaultValue = "100MB",
      description =
          "Size of a cargo of thesis or tpch: 100MB, 1GB, 64MiB (default: ${DEFAULT-VALUE}).")
  ByteSize size = ByteSize.parse("100MB");

  @Option(
      names = "--system",
      paramLabel = "SYSTEM",
      split = ",",
      description =
          "What to compare, TRANSPORT:SERIALIZER+COMPRESSOR[:LEVEL][@THREADS]; may be repeated."
              + " With @THREADS (or @cores) in parallel segments, without as one stream."
              + " Peers, which ship and hold only: arrow-flight, arrow-flight:arrow+zstd,"
              + " socket:kryo-tuned+none, socket:kryo-tuned+zstd-mt."
              + " Default: the baseline grpc:java+none and four contenders.")
  List<SystemUnderTest> systems = new ArrayList<>();

  @Option(
      names = "--iterations",
      paramLabel = "N",
      defaultValue = "5",
      description = "Measured iterations of each system (default: ${DEFAULT-VALUE}).")
  int iterations;

  @Option(
      names = "--warmup",
      paramLabel = "N",
      defaultValue = "2",
      description = "Iterations of each system before them (default: ${DEFAULT-VALUE}).")
  int warmup;

  @Mixin LinkOptions link = new LinkOptions();

  @Mixin ConfigOptions config = new ConfigOptions();

  @Mixin SystemSettings system = new SystemSettings();

  @Mixin CommitSettings commit = new CommitSettings();

  @Mixin StreamSettings streaming = new StreamSettings();

  @Option(
      names = "--ceiling",
      description =
          "Also measure what the path and copies can do, and show each system's share and what"
              + " binds it, in some seconds; always done with a --link.")
  boolean ceiling;

  @Option(
      names = "--study",
      description =
          "Compare the study's 20 combinations as it did, over gRPC as one stream, and show its"
              + " figures beside (3 iterations after 1 warm-up).")
  boolean study;

  /** How whole commits are made; null if cargoes only have to take effect. */
  @Nullable Commits commits() {
    return streaming.stream ? null : commit.toCommits();
  }

  /** The system that the others are compared with: the published one, else the first. */
  String baseline() {
    List<String> names = names();
    return names.contains(BASELINE) ? BASELINE : names.get(0);
  }

  /** What results call the systems, in their order; to be called when all has been validated. */
  List<String> names() {
    SystemOptions set = system.toOptions();
    return systems.stream().map(one -> Contender.of(one, set).name()).toList();
  }
}
