package io.drayage.cli.cluster;

import io.drayage.bench.rig.node.SystemWarmup;
import io.drayage.bench.system.SystemUnderTest;
import io.drayage.cli.options.OptionChecks;
import io.drayage.warmup.NodeWarmup;
import java.time.Duration;
import picocli.CommandLine.Option;

/** The duration of a node's warm-up before it is ready. */
final class WarmUpOption {
  @Option(
      names = "--warm-up",
      paramLabel = "TIME",
      defaultValue = "0.5s",
      description =
          "Duration of shipping small cargoes to itself before it is ready; 0 for none (default:"
              + " ${DEFAULT-VALUE}).")
  private Duration limit = NodeWarmup.DEFAULT_LIMIT;

  /** Begins to warm the code that a node of {@code system} runs, while the node starts. */
  NodeWarmup begin(SystemUnderTest system, int threads, OptionChecks checks) {
    try {
      return SystemWarmup.begin(system, threads, limit);
    } catch (IllegalArgumentException e) {
      throw checks.usageError("--warm-up: " + e.getMessage());
    }
  }
}
