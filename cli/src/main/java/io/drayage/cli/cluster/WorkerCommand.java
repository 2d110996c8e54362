package io.drayage.cli.cluster;

import static io.drayage.internal.Texts.format;

import io.drayage.cli.options.OptionChecks;
import io.drayage.coordination.Coordination;
import io.drayage.coordination.Maintenance;
import io.drayage.coordination.NodeInfo;
import io.drayage.coordination.NodeProgress;
import io.drayage.coordination.PrimaryInfo;
import io.drayage.coordination.PublishedSnapshot;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code drayage worker}. */
@Command(
    name = "worker",
    mixinStandardHelpOptions = true,
    description =
        "Runs a worker of a cluster: commits, follows the published snapshots, runs SQL over its copy, shows the nodes.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {WorkerCommitCommand.class, WorkerFollowCommand.class, WorkerSqlCommand.class},
    footer = {
      "",
      "Example:",
      "  drayage worker commit --zookeeper 127.0.0.1:2181 --store fs:/var/lib/drayage/t1/store"
    })
public final class WorkerCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "a command is missing: name commit, follow, sql or status");
  }

  @Command(
      mixinStandardHelpOptions = true,
      description = "Shows the primary, the published snapshot and the live nodes.",
      footer = {"", "Example: drayage worker status --zookeeper 127.0.0.1:2181"})
  int status(@Mixin ClusterOptions cluster) throws IOException {
    NodeLog.setUp();
    try (Coordination coordination = cluster.connectToCluster(new OptionChecks(spec))) {
      List<NodeInfo> nodes = coordination.liveNodes();
      Optional<PrimaryInfo> primary = coordination.primary();
      boolean primaryLives =
          primary.isPresent() && nodes.stream().anyMatch(primary.get().node()::isSameNode);
      Optional<PublishedSnapshot> published = coordination.published();
      PrintWriter out = spec.commandLine().getOut();
      out.println(
          "snapshot  "
              + published
                  .map(found -> format("%d, epoch %d", found.timestamp(), found.epoch()))
                  .orElse("none"));
      published.ifPresent(found -> out.println("database  " + found.position().database()));
      String state = primaryLives ? takeover(coordination, primary.get()) : ", not there now";
      out.println("primary   " + primary.map(found -> show(found.node()) + state).orElse("none"));
      Maintenance maintenance = coordination.maintenance();
      if (maintenance.isOn()) {
        out.println("cluster   " + maintenance);
      }
      for (NodeInfo node : nodes) {
        out.println("node      " + show(node) + loaded(coordination, node));
      }
      return primaryLives ? 0 : 1;
    }
  }

  /** That the node which was elected does not accept cargoes yet; it tells when it does. */
  private static String takeover(Coordination coordination, PrimaryInfo elected)
      throws IOException {
    boolean accepts =
        coordination
            .progress(elected.node().name())
            .filter(told -> told.epoch() == elected.epoch())
            .isPresent();
    return accepts ? "" : ", elected, has not taken over yet";
  }

  /** Of a transactor; workers, who may not write there, do not tell. */
  private static String loaded(Coordination coordination, NodeInfo node) throws IOException {
    long loaded = coordination.progress(node.name()).map(NodeProgress::loaded).orElse(0L);
    return loaded == 0 ? "" : ", has loaded snapshot " + loaded;
  }

  private static String show(NodeInfo node) {
    return node.acceptsConnections() ? node.name() + " at " + node.address() : node.name();
  }
}
