package io.drayage.cli.cluster;

import io.drayage.cli.options.OptionChecks;
import io.drayage.coordination.Coordination;
import io.drayage.coordination.CoordinationException;
import io.drayage.coordination.NodeInfo;
import io.drayage.coordination.NodeProgress;
import io.drayage.coordination.PrimaryInfo;
import io.drayage.transactor.StepDown;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code drayage transactor step-down}: makes another transactor the primary. */
@Command(
    name = "step-down",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Makes the primary hand over to another transactor.",
      "",
      "Waits at most a minute until the other has caught up, and ends when it accepts cargoes. The"
          + " primary refuses new cargoes, stores and publishes the applied ones, and becomes a"
          + " standby. Workers repeat interrupted shipments: no commit fails.",
      ""
    },
    footer = {
      "",
      "Examples, with both nodes of the examples of 'drayage transactor':",
      "  drayage transactor step-down --zookeeper 127.0.0.1:2181 --to transactor-7071"
    })
final class StepDownCommand implements Callable<Integer> {
  /** Covers the catch-up of the other, the hand-over by the primary, and the takeover. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @Mixin private ClusterOptions cluster = new ClusterOptions();

  @Option(
      names = "--to",
      paramLabel = "NAME",
      description = "The new primary (default: the transactor with the newest loaded snapshot).")
  private @Nullable String to;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException, InterruptedException {
    NodeLog.setUp();
    OptionChecks checks = new OptionChecks(spec);
    PrintWriter out = spec.commandLine().getOut();
    try (Coordination coordination = cluster.connectToCluster(checks)) {
      List<String> nodes =
          coordination.liveNodes().stream()
              .filter(NodeInfo::acceptsConnections)
              .map(NodeInfo::name)
              .toList();
      checks.require(
          to == null || nodes.contains(to),
          "--to %s: there is no such transactor, only %s".formatted(to, nodes));
      StepDown stepDown =
          new StepDown(coordination, PATIENCE, out::println, spec.commandLine().getErr()::println);
      PrimaryInfo primary = stepDown.primary();
      String from = primary.node().name();
      checks.require(
          from.equals(to) || nodes.size() > 1,
          "there is no other transactor, only %s".formatted(nodes));
      String wanted = to == null ? furthest(coordination, nodes, from) : to;
      if (!from.equals(wanted)) {
        primary = stepDown.handOver(primary, wanted);
      }
      String name = primary.node().name();
      boolean done = name.equals(wanted);
      out.println(name + " is primary" + (done ? "" : ": %s did not take over".formatted(wanted)));
      return done ? 0 : 1;
    }
  }

  /** Returns the other transactor that has loaded the newest snapshot. */
  private static String furthest(Coordination coordination, List<String> nodes, String from)
      throws CoordinationException {
    String furthest = "";
    long most = -1;
    for (String node : nodes) {
      long loaded = coordination.progress(node).map(NodeProgress::loaded).orElse(-1L);
      if (!node.equals(from) && (loaded > most || furthest.isEmpty())) {
        furthest = node;
        most = loaded;
      }
    }
    return furthest;
  }
}
