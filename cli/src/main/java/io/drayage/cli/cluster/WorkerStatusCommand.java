package io.drayage.cli.cluster;

import io.drayage.coordination.Coordination;
import io.drayage.coordination.NodeInfo;
import io.drayage.coordination.PrimaryInfo;
import io.drayage.coordination.PublishedSnapshot;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code drayage worker status}. */
@Command(
    name = "status",
    mixinStandardHelpOptions = true,
    description = "Shows the primary, the published snapshot and the live nodes.",
    footer = {"", "Example: drayage worker status --zookeeper 127.0.0.1:2181"})
final class WorkerStatusCommand implements Callable<Integer> {
  @Mixin private ClusterOptions cluster;
  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    NodeLog.setUp();
    try (Coordination coordination = cluster.connect()) {
      List<NodeInfo> nodes = coordination.liveNodes();
      Optional<PrimaryInfo> primary = coordination.primary();
      Optional<PublishedSnapshot> published = coordination.published();
      PrintWriter out = spec.commandLine().getOut();
      out.println("snapshot  " + published.map(WorkerStatusCommand::show).orElse("none"));
      boolean primaryLives = primary.isPresent() && nodes.contains(primary.get().node());
      out.println(
          "primary   "
              + primary
                  .map(elected -> show(elected.node()) + (primaryLives ? "" : ", not there now"))
                  .orElse("none"));
      for (NodeInfo node : nodes) {
        out.println("node      " + show(node));
      }
      out.flush();
      return primaryLives ? 0 : 1;
    }
  }

  private static String show(PublishedSnapshot published) {
    return "%d, epoch %d".formatted(published.timestamp(), published.epoch());
  }

  private static String show(NodeInfo node) {
    return node.address().equals("-") ? node.name() : node.name() + " at " + node.address();
  }
}
