package io.drayage.cli.cluster;

import io.drayage.coordination.Coordination;
import io.drayage.coordination.NodeInfo;
import io.drayage.coordination.PrimaryInfo;
import io.drayage.store.StoreSnapshot;
import io.drayage.worker.WorkerOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code drayage worker}. */
@Command(
    name = "worker",
    mixinStandardHelpOptions = true,
    description =
        "Runs a worker of a cluster: commits, follows the published snapshots, shows the nodes.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = WorkerCommitCommand.class,
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
        spec.commandLine(), "a command is missing: name commit, follow or status");
  }

  @Command(
      mixinStandardHelpOptions = true,
      description = "Loads every snapshot that is published, and prints a line for each.",
      footer = {
        "",
        "Example: drayage worker follow --zookeeper 127.0.0.1:2181 --store fs:/var/lib/drayage/t1/store"
      })
  int follow(
      @Mixin WorkerOptionsGroup group,
      @Option(
              names = "--until",
              paramLabel = "TIMESTAMP",
              description = "End when this snapshot is loaded (default: never).")
          @Nullable Long until)
      throws IOException, InterruptedException {
    CountDownLatch reached = new CountDownLatch(1);
    AtomicLong printed = new AtomicLong(-1);
    return group.run(
        new WorkerOptions(group.name),
        worker -> {
          worker.addListener(snapshot -> show(snapshot, printed, until, reached));
          show(worker.snapshot(), printed, until, reached);
          reached.await();
          return 0;
        });
  }

  private void show(
      StoreSnapshot snapshot, AtomicLong printed, @Nullable Long until, CountDownLatch reached) {
    long before = printed.getAndAccumulate(snapshot.timestamp(), Math::max);
    if (before < snapshot.timestamp()) {
      String rows =
          snapshot.tables().stream()
              .map(table -> "%s %,d rows".formatted(table.schema().name(), table.liveRowCount()))
              .collect(Collectors.joining(", "));
      PrintWriter out = spec.commandLine().getOut();
      out.printf("snapshot %d: %s%n", snapshot.timestamp(), rows);
      out.flush();
    }
    if (until != null && snapshot.timestamp() >= until) {
      reached.countDown();
    }
  }

  @Command(
      mixinStandardHelpOptions = true,
      description = "Shows the primary, the published snapshot and the live nodes.",
      footer = {"", "Example: drayage worker status --zookeeper 127.0.0.1:2181"})
  int status(@Mixin ClusterOptions cluster) throws IOException {
    NodeLog.setUp();
    try (Coordination coordination = cluster.connect()) {
      List<NodeInfo> nodes = coordination.liveNodes();
      Optional<NodeInfo> primary = coordination.primary().map(PrimaryInfo::node);
      boolean primaryLives = primary.isPresent() && nodes.contains(primary.get());
      PrintWriter out = spec.commandLine().getOut();
      out.println(
          "snapshot  "
              + coordination
                  .published()
                  .map(found -> "%d, epoch %d".formatted(found.timestamp(), found.epoch()))
                  .orElse("none"));
      out.println(
          "primary   "
              + primary
                  .map(elected -> show(elected) + (primaryLives ? "" : ", not there now"))
                  .orElse("none"));
      nodes.forEach(node -> out.println("node      " + show(node)));
      out.flush();
      return primaryLives ? 0 : 1;
    }
  }

  private static String show(NodeInfo node) {
    return node.address().equals("-") ? node.name() : node.name() + " at " + node.address();
  }
}
